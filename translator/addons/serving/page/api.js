// Tries the API.

const [[from, to]] = DATA.pairs;
const { limits } = DATA;
const shown = (count) => count.toLocaleString("en");
byId("limits").textContent = `At most ${shown(limits.characters)} characters in a request,`
  + ` ${shown(limits.line)} in a line, ${limits.sentences} sentences, ${limits.texts} texts,`
  + ` ${shown(limits.body)} bytes; ${limits.seconds} seconds.`;
byId("body").value = JSON.stringify({ q: "Good morning.", source: from, target: to }, null, 1);

function drawCommand() {
  const body = byId("body").value.replace(/\s+/g, " ").replaceAll("'", "'\\''");
  byId("command").textContent = `curl ${location.origin}${byId("path").value}`
    + ` -H 'content-type: application/json' -d '${body}'`;
}

byId("try").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("answer").textContent = "…";
  try {
    const answer = await fetch(byId("path").value, {
      method: "POST", headers: { "content-type": "application/json" }, body: byId("body").value,
    });
    const text = JSON.stringify(await answer.json(), null, 1);
    byId("answer").textContent = text.length > 20000 ? `${text.slice(0, 20000)}…` : text;
  } catch {
    byId("answer").textContent = "The server does not answer.";
  }
});
byId("body").addEventListener("input", drawCommand);
byId("path").addEventListener("change", drawCommand);
drawCommand();

// Translates a file that is chosen or dropped on the page, and gives one back.

let ofFile = null; // the request of now, to be given up for the next

function tellOfFile(isError, ...parts) {
  byId("file-note").classList.toggle("error", isError);
  byId("file-note").replaceChildren(...parts);
}

/** What a file has become, to be saved, and what is doubtful in it. */
function showFile({ translatedFileUrl, doubts }, name, language) {
  const { pathname } = new URL(translatedFileUrl);
  const count = `${doubts.length.toLocaleString("en")} doubtful`;
  tellOfFile(false, element("a", { href: pathname, download: name }, `Save ${name}`),
    ` in ${DATA.names[language] ?? language}`,
    ...(doubts.length ? [element("details", {}, element("summary", {}, count),
      element("ul", {}, ...doubts.map((doubt) => element("li", {}, doubt))))] : []));
}

async function translateFile(file) {
  ofFile?.abort();
  const mine = new AbortController();
  ofFile = mine;
  const language = byId("to").value;
  const body = new FormData();
  body.append("file", file);
  body.append("source", byId("from").value);
  body.append("target", language);
  body.append("formality", byId("formality").value);
  tellOfFile(false, `Translating ${file.name} …`);
  try {
    const answer = await fetch("/translate_file", { method: "POST", body, signal: mine.signal });
    const value = await answer.json();
    if (value.error) tellOfFile(true, value.error);
    else showFile(value, file.name, language);
  } catch (error) {
    if (error.name !== "AbortError") tellOfFile(true, "The server does not answer.");
  }
}

/** Whether a file is dragged, and not a text. */
const hasFile = (event) => event.dataTransfer?.types.includes("Files");

byId("choose").addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", () => {
  if (byId("file").files.length) translateFile(byId("file").files[0]);
  byId("file").value = ""; // the same file may be chosen again
});
for (const [kind, isOver] of [["dragover", true], ["dragleave", false], ["drop", false]]) {
  document.addEventListener(kind, (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.toggle("dropping", isOver);
    if (kind === "drop") translateFile(event.dataTransfer.files[0]);
  });
}
byId("file").accept = DATA.endings.join(",");

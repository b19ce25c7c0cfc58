// Translates a file that is chosen or dropped on the page, and offers the translation.

let fileRequest = null; // the current one, which the next one cancels

function showFileNote(isError, ...parts) {
  byId("file-note").classList.toggle("error", isError);
  byId("file-note").replaceChildren(...parts);
}

/** Shows a link to the translated file, and what is doubtful in it. */
function showFile({ translatedFileUrl, doubts }, name, language) {
  const { pathname } = new URL(translatedFileUrl);
  const count = `${doubts.length.toLocaleString("en")} doubtful`;
  showFileNote(false, element("a", { href: pathname, download: name }, `Save ${name}`),
    ` in ${DATA.names[language] ?? language}`,
    ...(doubts.length ? [element("details", {}, element("summary", {}, count),
      element("ul", {}, ...doubts.map((doubt) => element("li", {}, doubt))))] : []));
}

async function translateFile(file) {
  fileRequest?.abort();
  const request = new AbortController();
  fileRequest = request;
  const language = byId("to").value;
  const body = new FormData();
  body.append("file", file);
  body.append("source", byId("from").value);
  body.append("target", language);
  body.append("formality", byId("formality").value);
  showFileNote(false, `Translating ${file.name} …`);
  try {
    const answer = await fetch("/translate_file", { method: "POST", body, signal: request.signal });
    const value = await answer.json();
    if (value.error) showFileNote(true, value.error);
    else showFile(value, file.name, language);
  } catch (error) {
    if (error.name !== "AbortError") showFileNote(true, "The server does not answer.");
  }
}

/** Whether a file is dragged, not a text. */
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

// Translates what is typed, as it is typed.

const PAUSE = 250; // milliseconds after a key
const ALTERNATIVES = 3;
const DOUBTFUL = 0.5; // words of less confidence are marked
const MOST_COMPARED = 250_000; // pairs of words; what differs in longer texts is not marked
const COPIED = 1500; // milliseconds that the button says so
const EXAMPLES = {
  en: [
    "I have never seen such a beautiful park.",
    "Could you tell me how to get to the station?",
    "If I had known that, I would have stayed at home.",
  ],
  de: [
    "Ich habe noch nie ein so schönes Haus gesehen.",
    "Können Sie mir sagen, wie ich zum Bahnhof komme?",
    "Wenn ich das gewusst hätte, wäre ich zu Hause geblieben.",
  ],
};
const state = { theme: "" }; // that of the system if empty
let running = null; // the request of now, to be given up for the next
let timer = 0;
let paragraphs = []; // of the translation: the hypotheses of each
let chosen = []; // of each, the number of the one that is shown
let current = 0; // the paragraph whose alternatives are shown
let source = "";

const shown = (i = current) => paragraphs[i]?.[chosen[i]];
const translation = () => paragraphs.map((_, i) => shown(i).text).join("\n");
const option = (code) => element("option", { value: code }, DATA.names[code]);

/** The languages that can be chosen; those to translate to depend on where from. */
function fillLanguages() {
  const sources = [...new Set(DATA.pairs.map(([from]) => from))];
  if (!byId("from").options.length) {
    if (sources.length > 1) byId("from").append(element("option", { value: "auto" }, "Detect"));
    byId("from").append(...sources.map(option));
  }
  const from = byId("from").value;
  const targets = [...new Set(DATA.pairs.filter(([one]) => from === "auto" || one === from)
    .map(([, other]) => other))];
  const before = byId("to").value;
  byId("to").replaceChildren(...targets.map(option));
  if (targets.includes(before)) byId("to").value = before;
  else if (from === "auto" && targets.includes("de")) byId("to").value = "de";
  const to = byId("to").value;
  byId("formality").hidden = !DATA.withForms.some(([one, other]) => (
    other === to && (one === from || from === "auto")));
}

/** The examples of the language that is chosen, where there are any, while nothing is typed. */
function drawExamples() {
  const from = byId("from").value;
  const [first] = DATA.pairs.map(([code]) => code).filter((code) => EXAMPLES[code]);
  const found = EXAMPLES[from === "auto" ? first : from] ?? [];
  byId("examples").hidden = !found.length || byId("text").value !== "";
  byId("examples").replaceChildren("Try: ", ...found.map((text) => element("button", {
    type: "button", onclick: () => {
      byId("text").value = text;
      byId("text").focus();
      changed();
    },
  }, text)));
}

/** A paragraph with its doubtful words marked. */
function withDoubts({ text, words }) {
  const parts = [];
  let end = 0;
  for (const [word, confidence] of words ?? []) {
    const at = text.indexOf(word, end);
    if (at < 0) continue;
    parts.push(text.slice(end, at), element("span", {
      title: `confidence ${confidence.toFixed(2)}`,
      ...(confidence < DOUBTFUL && { class: "doubtful" }),
    }, word));
    end = at + word.length;
  }
  return [...parts, text.slice(end)];
}

/** The translation, whose paragraphs can be chosen. */
function show() {
  byId("translation").replaceChildren(...paragraphs.flatMap((_, i) => [i ? "\n" : "",
    element("span", paragraphs.length < 2 ? {} : { tabindex: 0, onfocus: () => { lookAt(i); } },
      ...withDoubts(shown(i)))]));
  byId("legend").hidden = !byId("translation").querySelector(".doubtful");
  lookAt(current);
}

/** Chooses the paragraph whose alternatives are shown. */
function lookAt(i) {
  current = i;
  const spans = byId("translation").querySelectorAll("[tabindex]");
  spans.forEach((span, j) => span.classList.toggle("current", i === j));
  drawHypotheses();
  enable();
}

/** The words of a text, each with whether another text lacks it: [word, is new]. */
function difference(text, other) {
  const [mine, theirs] = [text, other].map((each) => each.split(/(?<=\s)/));
  const [ours, others] = [mine, theirs].map((words) => words.map((word) => word.trim()));
  if (ours.length * others.length > MOST_COMPARED) return mine.map((word) => [word, false]);
  // common[i][j]: the most words, in order, that ours from i on and others from j on share
  const common = ours.concat("").map(() => new Uint16Array(others.length + 1));
  for (let i = ours.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      common[i][j] = ours[i] === others[j] ? common[i + 1][j + 1] + 1
        : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  let j = 0;
  return mine.map((word, i) => {
    while (j < others.length && ours[i] !== others[j] && common[i][j + 1] === common[i][j]) j += 1;
    const isShared = j < others.length && ours[i] === others[j];
    if (isShared) j += 1;
    return [word, !isShared];
  });
}

/** The other hypotheses of a paragraph, with what differs from the one that is shown. */
function drawHypotheses() {
  const hypotheses = paragraphs[current] ?? [];
  const text = shown()?.text;
  const others = [...hypotheses.keys()].filter((i) => hypotheses[i].text !== text);
  byId("others").hidden = !others.length;
  byId("hypotheses").replaceChildren(...others.map((i) => element("li", {},
    element("button", { type: "button", "aria-label": hypotheses[i].text, onclick: () => {
      chosen[current] = i;
      show();
      byId("hypotheses").querySelector("button")?.focus();
    } }, ...difference(hypotheses[i].text, text).flatMap(([word, isNew]) => {
      const marked = word.trimEnd();
      return isNew && marked ? [element("b", {}, marked), word.slice(marked.length)] : [word];
    })))));
}

function note(text, isError) {
  byId("note").textContent = text;
  byId("note").classList.toggle("error", isError);
}

function clear() {
  paragraphs = [];
  show();
  note("", false);
}

/** What can be done with a translation can be done where there is one. */
function enable() {
  byId("copy").disabled = !paragraphs.length;
  byId("look").disabled = !shown()?.words;
  const [from, to] = [byId("from").value, byId("to").value];
  byId("swap").disabled = !DATA.pairs.some(([one, other]) => (
    one === to && (other === from || from === "auto")));
}

/** Takes a line of the answer. */
function take(value) {
  if (value.error) {
    clear();
    note(value.error, true);
  } else if (value.source) {
    source = value.source.language;
    byId("to").value = value.target;
    note(byId("from").value === "auto" ? `from ${DATA.names[source] ?? source}` : "", false);
  } else {
    paragraphs = value.lines;
    chosen = paragraphs.map(() => 0);
    current = Math.max(0, paragraphs.findIndex(([best]) => best.words));
    show();
  }
}

async function translate() {
  running?.abort();
  const text = byId("text").value;
  if (!text.trim()) {
    clear();
    return;
  }
  const mine = new AbortController();
  running = mine;
  try {
    const answer = await fetch("/stream", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        q: text, source: byId("from").value, target: byId("to").value, alternatives: ALTERNATIVES,
        formality: byId("formality").value,
      }),
      signal: mine.signal,
    });
    if (!answer.ok) {
      take(await answer.json());
      return;
    }
    let waiting = "";
    for await (const part of lines(answer.body)) {
      waiting += part;
      const whole = waiting.split("\n");
      waiting = whole.pop();
      for (const line of whole) if (running === mine) take(JSON.parse(line));
    }
  } catch (error) {
    if (error.name !== "AbortError") take({ error: "The server does not answer." });
  }
}

/** The parts of a body as text. */
async function* lines(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function changed() {
  const { length } = byId("text").value;
  byId("count").textContent = length > 0.8 * DATA.characters
    ? `${length.toLocaleString("en")} of ${DATA.characters.toLocaleString("en")} characters` : "";
  paragraphs = []; // they are of another text
  byId("legend").hidden = true;
  lookAt(0);
  drawExamples();
  clearTimeout(timer);
  timer = setTimeout(translate, PAUSE);
}

/** Translates the other way round, beginning with the translation. */
function swap() {
  const to = byId("to").value;
  const from = byId("from").value === "auto" ? source : byId("from").value;
  const text = translation();
  byId("from").value = to;
  fillLanguages();
  if ([...byId("to").options].some(({ value }) => value === from)) byId("to").value = from;
  if (text) byId("text").value = text;
  changed();
}

/** Copies the translation; without the browser's leave it is selected instead. */
async function copy() {
  const said = (text) => {
    byId("copy").textContent = text;
    setTimeout(() => { byId("copy").textContent = "Copy"; }, COPIED);
  };
  try {
    await navigator.clipboard.writeText(translation());
    said("Copied");
  } catch {
    getSelection().selectAllChildren(byId("translation"));
    said("Selected");
  }
}

function chooseLanguages() {
  fillLanguages();
  drawExamples();
  enable();
  translate();
}

byId("text").addEventListener("input", changed);
byId("from").addEventListener("change", chooseLanguages);
byId("to").addEventListener("change", chooseLanguages);
byId("formality").addEventListener("change", translate);
byId("swap").addEventListener("click", swap);
byId("copy").addEventListener("click", copy);
byId("look").addEventListener("click", () => {
  const q = byId("text").value.split("\n")[current];
  const asked = new URLSearchParams({
    q, source, target: byId("to").value, alternatives: ALTERNATIVES,
    formality: byId("formality").value,
  });
  const src = `/explorer?${asked}#hypothesis=${chosen[current] + 1}&theme=${theme()}`;
  byId("frame").replaceChildren(element("iframe", { title: "Every head", src }));
});
watchTheme(showTheme);
fillLanguages();
byId("purpose").textContent = DATA.purpose;
drawExamples();
enable();
showTheme();

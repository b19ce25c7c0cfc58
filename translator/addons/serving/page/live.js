// Translates text while it is typed.

const PAUSE = 250; // milliseconds after a key
const ALTERNATIVES = 3;
const DOUBTFUL = 0.5; // words of less confidence are marked
const MOST_COMPARED = 250_000; // pairs of words; in longer texts differences are not marked
const COPIED = 1500; // milliseconds for which the button says so
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
let running = null; // the current request, which the next one cancels
let timer = 0;
let paragraphs = []; // of the translation, each a list of hypotheses
let ranks = []; // for each paragraph, the number of the hypothesis that is shown
let current = 0; // the paragraph whose alternatives are shown
let source = "";

const shownHypothesis = (i = current) => paragraphs[i]?.[ranks[i]];
const translation = () => paragraphs.map((_, i) => shownHypothesis(i).text).join("\n");
const option = (code) => element("option", { value: code }, DATA.names[code]);

/** Lists the languages to choose from; the target languages depend on the source language. */
function fillLanguages() {
  const sources = [...new Set(DATA.pairs.map(([from]) => from))];
  if (!byId("from").options.length) {
    if (sources.length > 1) byId("from").append(element("option", { value: "auto" }, "Detect"));
    byId("from").append(...sources.map(option));
  }
  const from = byId("from").value;
  const pairs = DATA.pairs.filter(([pairFrom]) => from === "auto" || pairFrom === from);
  const targets = [...new Set(pairs.map(([, pairTo]) => pairTo))];
  const before = byId("to").value;
  byId("to").replaceChildren(...targets.map(option));
  if (targets.includes(before)) byId("to").value = before;
  else if (from === "auto" && targets.includes("de")) byId("to").value = "de";
  const to = byId("to").value;
  byId("formality").hidden = !DATA.withFormality.some(([pairFrom, pairTo]) => (
    pairTo === to && (pairFrom === from || from === "auto")));
}

/** Shows examples in the source language, if there are any, while nothing is typed. */
function drawExamples() {
  const from = byId("from").value;
  const [first] = DATA.pairs.map(([code]) => code).filter((code) => EXAMPLES[code]);
  const examples = EXAMPLES[from === "auto" ? first : from] ?? [];
  byId("examples").hidden = !examples.length || byId("text").value !== "";
  byId("examples").replaceChildren("Try: ", ...examples.map((text) => element("button", {
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

/** Shows the translation, in which a paragraph can be chosen. */
function show() {
  byId("translation").replaceChildren(...paragraphs.flatMap((_, i) => [i ? "\n" : "",
    element("span", paragraphs.length < 2 ? {} : { tabindex: 0, onfocus: () => { lookAt(i); } },
      ...withDoubts(shownHypothesis(i)))]));
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

/** The words of a text, each with whether the base text lacks it: [word, is new]. */
function difference(text, base) {
  const rawWords = text.split(/(?<=\s)/);
  const [words, old] = [text, base].map((side) => side.split(/(?<=\s)/).map((w) => w.trim()));
  if (words.length * old.length > MOST_COMPARED) return rawWords.map((word) => [word, false]);
  // common[i][j]: the length of the longest common subsequence of words from i and old from j on
  const common = words.concat("").map(() => new Uint16Array(old.length + 1));
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = old.length - 1; j >= 0; j--) {
      common[i][j] = words[i] === old[j] ? common[i + 1][j + 1] + 1
        : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  let j = 0;
  return rawWords.map((word, i) => {
    while (j < old.length && words[i] !== old[j] && common[i][j + 1] === common[i][j]) j += 1;
    const isShared = j < old.length && words[i] === old[j];
    if (isShared) j += 1;
    return [word, !isShared];
  });
}

/** Lists the other hypotheses of a paragraph, and marks where they differ from the shown one. */
function drawHypotheses() {
  const hypotheses = paragraphs[current] ?? [];
  const text = shownHypothesis()?.text;
  const alternatives = [...hypotheses.keys()].filter((i) => hypotheses[i].text !== text);
  byId("others").hidden = !alternatives.length;
  byId("hypotheses").replaceChildren(...alternatives.map((i) => element("li", {},
    element("button", { type: "button", "aria-label": hypotheses[i].text, onclick: () => {
      ranks[current] = i;
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

/** Enables the buttons that need a translation, or a model for the other direction. */
function enable() {
  byId("copy").disabled = !paragraphs.length;
  byId("look").disabled = !shownHypothesis()?.words;
  const [from, to] = [byId("from").value, byId("to").value];
  byId("swap").disabled = !DATA.pairs.some(([pairFrom, pairTo]) => (
    pairFrom === to && (pairTo === from || from === "auto")));
}

/** Shows a line of the answer. */
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
    ranks = paragraphs.map(() => 0);
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
  const request = new AbortController();
  running = request;
  try {
    const answer = await fetch("/stream", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        q: text, source: byId("from").value, target: byId("to").value, alternatives: ALTERNATIVES,
        formality: byId("formality").value,
      }),
      signal: request.signal,
    });
    if (!answer.ok) {
      take(await answer.json());
      return;
    }
    let unread = "";
    for await (const part of textParts(answer.body)) {
      unread += part;
      const whole = unread.split("\n");
      unread = whole.pop();
      for (const line of whole) if (running === request) take(JSON.parse(line));
    }
  } catch (error) {
    if (error.name !== "AbortError") take({ error: "The server does not answer." });
  }
}

/** Yields the parts of a body as text. */
async function* textParts(body) {
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
  paragraphs = []; // they belong to the text before
  byId("legend").hidden = true;
  lookAt(0);
  drawExamples();
  clearTimeout(timer);
  timer = setTimeout(translate, PAUSE);
}

/** Swaps the languages, and takes the translation as the new text. */
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

/** Copies the translation; if the browser forbids it, selects the translation instead. */
async function copy() {
  const showState = (text) => {
    byId("copy").textContent = text;
    setTimeout(() => { byId("copy").textContent = "Copy"; }, COPIED);
  };
  try {
    await navigator.clipboard.writeText(translation());
    showState("Copied");
  } catch {
    getSelection().selectAllChildren(byId("translation"));
    showState("Selected");
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
  const query = new URLSearchParams({
    q, source, target: byId("to").value, alternatives: ALTERNATIVES,
    formality: byId("formality").value,
  });
  const src = `/explorer?${query}#hypothesis=${ranks[current] + 1}&theme=${theme()}`;
  byId("frame").replaceChildren(element("iframe", { title: "Every head", src }));
});
watchTheme(showTheme);
fillLanguages();
byId("purpose").textContent = DATA.purpose;
drawExamples();
enable();
showTheme();

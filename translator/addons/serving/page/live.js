// Translates what is typed, as it is typed.

const PAUSE = 250; // milliseconds after a key
const ALTERNATIVES = 3;
const DOUBTFUL = 0.5; // words of less confidence are marked
const state = { theme: "" }; // that of the system if empty
let running = null; // the request of now, to be given up for the next
let timer = 0;
let hypotheses = [];
let chosen = 0;
let source = "";

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
}

/** The translation with its doubtful words marked. */
function show({ text, words }) {
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
  byId("translation").classList.remove("draft");
  byId("translation").replaceChildren(...parts, text.slice(end));
}

function drawHypotheses() {
  byId("others").hidden = hypotheses.length < 2;
  byId("hypotheses").replaceChildren(...hypotheses.map((hypothesis, i) => element("li", {},
    element("button", { type: "button", "aria-pressed": i === chosen, onclick: () => {
      chosen = i;
      show(hypotheses[i]);
      drawHypotheses();
      byId("hypotheses").querySelectorAll("button")[i].focus();
    } }, hypothesis.text))));
}

function note(text, isError) {
  byId("note").textContent = text;
  byId("note").classList.toggle("error", isError);
}

function clear() {
  hypotheses = [];
  byId("translation").replaceChildren();
  drawHypotheses();
  byId("look").disabled = true;
  note("", false);
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
  } else if (value.draft !== undefined) {
    byId("translation").classList.add("draft");
    byId("translation").textContent = value.draft;
  } else {
    ({ hypotheses } = value);
    chosen = 0;
    if (hypotheses.length) show(hypotheses[0]);
    else byId("translation").replaceChildren();
    drawHypotheses();
    byId("look").disabled = !hypotheses.length;
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

function later() {
  const { length } = byId("text").value;
  byId("count").textContent = length > 0.8 * DATA.characters
    ? `${length.toLocaleString("en")} of ${DATA.characters.toLocaleString("en")} characters` : "";
  clearTimeout(timer);
  timer = setTimeout(translate, PAUSE);
}

byId("text").addEventListener("input", later);
byId("from").addEventListener("change", () => { fillLanguages(); translate(); });
byId("to").addEventListener("change", translate);
byId("look").addEventListener("click", () => {
  const asked = new URLSearchParams({
    q: byId("text").value, source, target: byId("to").value, alternatives: ALTERNATIVES,
  });
  const src = `/explorer?${asked}#hypothesis=${chosen + 1}&theme=${theme()}`;
  byId("frame").replaceChildren(element("iframe", { title: "Every head", src }));
});
watchTheme(showTheme);
fillLanguages();
showTheme();

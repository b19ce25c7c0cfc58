// Translates what is typed, as it is typed.

const DATA = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const PAUSE = 250; // milliseconds after a key
const ALTERNATIVES = 3;
const DOUBTFUL = 0.5; // words of less confidence are marked
let running = null; // the request of now, to be given up for the next
let timer = 0;
let hypotheses = [];
let chosen = 0;
let source = "";

function theme() {
  const asked = document.documentElement.dataset.theme;
  return asked || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function option(code, name) {
  const made = document.createElement("option");
  made.value = code;
  made.textContent = name;
  return made;
}

/** The languages that can be chosen; those to translate to depend on where from. */
function fillLanguages() {
  const sources = [...new Set(DATA.pairs.map(([from]) => from))];
  if (!byId("from").options.length) {
    if (sources.length > 1) byId("from").append(option("auto", "Detect"));
    byId("from").append(...sources.map((code) => option(code, DATA.names[code])));
  }
  const from = byId("from").value;
  const targets = [...new Set(DATA.pairs.filter(([one]) => from === "auto" || one === from)
    .map(([, other]) => other))];
  const before = byId("to").value;
  byId("to").replaceChildren(...targets.map((code) => option(code, DATA.names[code])));
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
    const made = document.createElement("span");
    made.textContent = word;
    made.title = `confidence ${confidence.toFixed(2)}`;
    if (confidence < DOUBTFUL) made.className = "doubtful";
    parts.push(text.slice(end, at), made);
    end = at + word.length;
  }
  byId("translation").classList.remove("draft");
  byId("translation").replaceChildren(...parts, text.slice(end));
}

function drawHypotheses() {
  byId("others").hidden = hypotheses.length < 2;
  byId("hypotheses").replaceChildren(...hypotheses.map((hypothesis, i) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = hypothesis.text;
    button.setAttribute("aria-pressed", i === chosen);
    button.addEventListener("click", () => {
      chosen = i;
      show(hypotheses[i]);
      drawHypotheses();
      byId("hypotheses").querySelectorAll("button")[i].focus();
    });
    item.append(button);
    return item;
  }));
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
  const frame = document.createElement("iframe");
  frame.title = "Every head";
  const asked = new URLSearchParams({
    q: byId("text").value, source, target: byId("to").value, alternatives: ALTERNATIVES,
  });
  frame.src = `/explorer?${asked}#hypothesis=${chosen + 1}&theme=${theme()}`;
  byId("frame").replaceChildren(frame);
});
byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = theme() === "dark" ? "light" : "dark";
  byId("theme").setAttribute("aria-pressed", theme() === "dark");
});
fillLanguages();
byId("theme").setAttribute("aria-pressed", theme() === "dark");

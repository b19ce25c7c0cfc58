// The page as a whole: draws panels for the choices, and lines for the token that is pointed at.

const DOUBTFUL = 0.5; // words of less confidence are marked
const MEANINGS = {
  cross: "When a word of the translation (left, a row) was written, the head looked at words of"
    + " the source (right, columns). ",
  encoder: "Each word of the source (left, a row) looks at all words of its own sentence (right,"
    + " columns). ",
  decoder: "Each word that has been written (left, a row) looks at itself and the words before it"
    + " (right, columns). ",
};
const SCALE = "Thicker lines and stronger colours mean more attention.";
let panels = [];
let pointed = null; // the token under the pointer or with the focus: {panel, side, index, opposite}
let pinned = null; // the token that was clicked or tapped
let drawnTokens = ""; // the choices that decided the tokens on the page

/** Draws everything again; a pinned token stays if the tokens stay. */
function draw() {
  settle();
  writeAddress();
  const { sentence, hypothesis, beside, kind, units, hideEnds } = state;
  const tokens = [sentence, hypothesis, beside, kind, units, hideEnds].join();
  if (tokens !== drawnTokens) pinned = null;
  drawnTokens = tokens;
  pointed = null;
  showTheme();
  const openTables = panels.map((panel) => panel.root.querySelector("details").open);
  const difference = findDifference();
  panels = currentHypotheses().map((hypothesis, i) => makePanel(hypothesis, i, difference.shown));
  byId("panels").replaceChildren(...panels.map((panel) => panel.root));
  byId("panels").classList.toggle("two", panels.length > 1);
  drawText(difference.text);
  drawChoices();
  buildHeads(currentSentence().layers[state.kind], currentSentence().heads[state.kind]);
  panels.forEach((panel, i) => {
    panel.root.querySelector("details").open = openTables[i] ?? false;
    drawLines(panel);
    drawMap(panel);
  });
  drawHeads(panels[0].view);
  show();
}

/** Shows the sentence, and the chosen translations with their scores. */
function drawText(difference) {
  const sentence = currentSentence();
  const { name, source_language: source, target_language: target } = sentence.model;
  const languages = source && `${source} → ${target}`;
  byId("model").textContent = [name, languages].filter(Boolean).join(", ");
  byId("source").textContent = sentence.text;
  byId("source").lang = source;
  byId("source").parentElement.classList.toggle("long", sentence.text.length > 160);
  const beside = sentence.hypotheses[state.beside];
  const shown = [sentence.hypotheses[state.hypothesis], ...(beside ? [beside] : [])];
  const number = (value, digits) =>
    (value === null ? "–" : value.toFixed(digits).replace("-", "−"));
  byId("translations").replaceChildren(...shown.map((hypothesis) => element("li", {},
    element("span", { class: "rank" }, String(hypothesis.rank)),
    element("div", {},
      element("bdi", { class: "translation", lang: target }, ...wordsOf(hypothesis)), " ",
      element("span", { class: "score" }, `score ${number(hypothesis.score, 3)}, `
        + `log probability ${number(hypothesis.log_probability, 2)}`
        + (hypothesis.confidence === null
          ? "" : `, confidence ${number(hypothesis.confidence, 2)}`),
      )))));
  const shared = "The encoder sees only the source: its attention is the same for both.";
  byId("difference").textContent = difference || (beside ? shared : "");
}

/** The text of a translation; words show their confidence if it is known, and doubtful ones are
 *  marked. Words are without tags, but the text may have tags in them, as in "house</b>." */
function wordsOf({ text, words }) {
  const parts = [];
  let end = 0;
  for (const [word, confidence] of words) {
    const letters = [...word].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/, "\\$&"));
    const pattern = new RegExp(letters.join("(?:<[^<>]*>)*"), "g");
    pattern.lastIndex = end;
    const match = pattern.exec(text);
    if (!match) continue;
    const name = confidence < DOUBTFUL ? "word doubtful" : "word";
    const title = `confidence ${confidence.toFixed(2)}`;
    parts.push(text.slice(end, match.index), element("span", { class: name, title }, match[0]));
    end = pattern.lastIndex;
  }
  return [...parts, text.slice(end)];
}

/** Sets every control to the state. */
function drawChoices() {
  const { hypotheses } = currentSentence();
  const named = hypotheses.map(({ rank, text }) => `${rank}. ${text}`);
  const sentences = currentFrame().sentences.map(({ text }, i) => `${i + 1}. ${text}`);
  options(byId("sentence"), sentences, state.sentence);
  options(byId("hypothesis"), named, state.hypothesis);
  options(byId("beside"), ["none", ...named], state.beside + 1);
  byId("beside").options[state.hypothesis + 1].disabled = true;
  byId("beside").disabled = hypotheses.length < 2;
  if (DATA.frames.length > 1) {
    const [shown, last] = [currentFrame(), DATA.frames.at(-1)].map(({ update }) =>
      update.toLocaleString("en"));
    byId("frame").value = state.frame;
    byId("update").textContent = `${shown} of ${last}`;
  }
  for (const name of ["kind", "units", "mixing"]) {
    for (const input of byId(name).querySelectorAll("input")) {
      input.checked = input.value === state[name];
    }
  }
  byId("hide-ends").checked = state.hideEnds;
  byId("threshold").value = state.threshold;
  byId("threshold-value").textContent = state.threshold.toFixed(2);
  byId("meaning").textContent = MEANINGS[state.kind] + SCALE;
  const note = state.kind === "cross"
    ? "In cross-attention a row is labelled with the token that the step wrote."
    : "In self-attention a row is labelled with the token of its own position.";
  const [start, end] = DATA.ends;
  const ends = state.hideEnds ? "" : ` ${start} and ${end} are tokens for the start and the end`
    + " of a sentence. A head that finds nothing useful often looks at one of them.";
  byId("note").textContent = note + ends;
}

function options(select, texts, chosen) {
  select.replaceChildren(...texts.map((text, i) => element("option", { value: i }, text)));
  select.value = chosen;
}

/** Shows the lines of the token pointed at, or of the pinned one, or of all tokens. */
function show() {
  const token = pointed ?? pinned;
  const shared = token && token.side === "key" && state.kind === "cross"; // the source of both
  for (const panel of panels) {
    const own = token && (shared || token.panel === panel.number) ? token : null;
    panel.token = own;
    showLines(panel, own);
    tintTokens(panel, own);
    frameMap(panel, own);
    const pressed = buttonOf(panel, pinned);
    if (pressed === panel.pressed) continue;
    panel.pressed?.setAttribute("aria-pressed", false);
    pressed?.setAttribute("aria-pressed", true);
    panel.pressed = pressed;
  }
  byId("readout").textContent = readoutText()
    || "Point at a token, tap it or move to it with Tab and the arrow keys to see where it looks.";
  byId("by-head").replaceChildren(...headReadout());
}

function buttonOf(panel, token) {
  return token?.panel === panel.number ? panel.buttons[token.side][token.index] : undefined;
}

/** Handles pointing, clicking and keys on tokens and maps. */
function listenToPanels() {
  const place = byId("panels");
  const panelOf = (target) => panels.find(({ root }) => root.contains(target));
  const tokenOf = (target, event) => {
    const panel = panelOf(target);
    const button = target.closest(".token");
    if (button) {
      const { side, index } = button.dataset;
      return { panel: panel.number, side, index: Number(index) };
    }
    const cell = target.closest(".map svg") && cellAt(panel, event);
    return cell ? { panel: panel.number, ...cell } : null;
  };
  const fields = ["panel", "side", "index", "opposite"];
  const same = (a, b) => fields.every((field) => a?.[field] === b?.[field]);
  const point = (token) => {
    if (same(pointed, token)) return;
    pointed = token;
    show();
  };
  place.addEventListener("pointermove", (event) => {
    if (event.pointerType === "mouse") point(tokenOf(event.target, event));
  });
  place.addEventListener("pointerleave", () => point(null));
  place.addEventListener("focusin", (event) => {
    if (!event.target.matches(".token")) return;
    for (const button of event.target.parentElement.children) {
      button.tabIndex = button === event.target ? 0 : -1;
    }
    point(tokenOf(event.target));
  });
  place.addEventListener("focusout", () => point(null));
  place.addEventListener("click", (event) => {
    const token = tokenOf(event.target, event);
    if (!token && !event.target.closest(".lines, .map")) return;
    pinned = same(pinned, token) ? null : token;
    pointed = pinned;
    show();
  });
  place.addEventListener("keydown", (event) => {
    if (!event.target.matches(".token")) return;
    const next = tokenBeside(panelOf(event.target), event.target, event.key);
    if (!next) return;
    next.focus();
    event.preventDefault();
  });
}

/** The token that an arrow key moves to. */
function tokenBeside(panel, button, key) {
  const index = Number(button.dataset.index);
  const column = panel.buttons[button.dataset.side];
  const [left, right] = [panel.buttons.query, panel.buttons.key];
  const level = (buttons) => buttons[Math.min(index, buttons.length - 1)];
  return {
    ArrowUp: column[index - 1],
    ArrowDown: column[index + 1],
    Home: column[0],
    End: column.at(-1),
    ArrowLeft: column === right && level(left),
    ArrowRight: column === left && level(right),
  }[key];
}

/** Makes every control change the state and draw everything again. */
function listenToChoices() {
  const on = (id, event, change) => byId(id).addEventListener(event, ({ target }) => {
    change(target);
    draw();
  });
  on("sentence", "change", ({ value }) => {
    Object.assign(state, { sentence: Number(value), hypothesis: 0, beside: -1 });
  });
  on("hypothesis", "change", ({ value }) => { state.hypothesis = Number(value); });
  on("beside", "change", ({ value }) => { state.beside = Number(value) - 1; });
  for (const name of ["kind", "units", "mixing"]) {
    on(name, "change", ({ value }) => { state[name] = value; });
  }
  on("frame", "input", ({ value }) => { state.frame = Number(value); });
  on("hide-ends", "change", ({ checked }) => { state.hideEnds = checked; });
  byId("threshold").addEventListener("input", ({ target }) => {
    state.threshold = Number(target.value);
    byId("threshold-value").textContent = state.threshold.toFixed(2);
    panels.forEach(drawLines);
    show();
  });
  byId("threshold").addEventListener("change", writeAddress);
  watchTheme(draw);
  byId("save-svg").addEventListener("click", saveSvg);
  byId("save-png").addEventListener("click", savePng);
  addEventListener("hashchange", () => { readAddress(); draw(); });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    pointed = pinned = null;
    show();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (width !== innerWidth) draw(); // a phone that hides its address bar changes the height
    width = innerWidth;
  });
}

/** Makes the switch between kinds of attention. */
function buildKinds() {
  byId("kind").append(...Object.entries(DATA.kinds).map(([kind, name]) => {
    const [short] = name.split(" ");
    const input = element("input", {
      type: "radio", name: "kind", value: kind, "aria-label": name,
    });
    const label = element("span", {}, kind === "cross" ? "cross" : short);
    return element("label", { title: name }, input, label);
  }));
}

function start() {
  if (!currentFrame().sentences.length) {
    const note = element("p", { id: "readout" }, "This page has no records.");
    document.querySelector("main").replaceChildren(note);
    return;
  }
  buildKinds();
  byId("film").hidden = DATA.frames.length < 2;
  byId("frame").max = DATA.frames.length - 1;
  readAddress();
  listenToChoices();
  listenToPanels();
  listenToHeads(draw);
  draw();
  requestAnimationFrame(() => setTimeout(() => performance.mark("drawn")));
}

start();

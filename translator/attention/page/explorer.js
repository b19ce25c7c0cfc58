// The page as a whole: choices lead to panels, a token that is pointed at to its lines.

const byId = (id) => document.getElementById(id);
let panels = [];
let pointed = null; // the token under the pointer or with the focus: {panel, side, index, other}
let pinned = null; // the token that was clicked or tapped
let drawnTokens = ""; // what the tokens on the page were made of

/** The panel of a hypothesis: its maps, and an empty place on the page. */
function makePanel(hypothesis, number, parting) {
  const sentence = currentSentence();
  const view = mapsOf(sentence, hypothesis, state);
  const selected = state.heads.map(([layer, head]) => oneMap(view, layer * sentence.heads + head));
  const heading = state.kind === "encoder" ? sentence.text : `${hypothesis.rank}  ${hypothesis.text}`;
  const root = element("article", { class: "panel", "aria-label": heading },
    element("h2", { dir: "auto" }, heading),
    element("div", { class: "lines" },
      element("p", { class: "side query" }, sideName("query")),
      element("p", { class: "side key" }, sideName("key")),
      tokenColumn("query"),
      element("div", { class: "between", "aria-hidden": true },
        drawing("svg", { class: "all" }), drawing("svg", { class: "chosen" })),
      tokenColumn("key")),
    element("div", { class: "map" }, drawing("svg", { role: "img" }),
      element("div", { class: "frame", hidden: "" }), element("div", { class: "frame", hidden: "" })),
    element("details", {}, element("summary", {}, "The map's numbers"),
      element("div", { class: "numbers", tabindex: 0 }, element("table"))));
  root.classList.toggle("large", view.keys.length > 26);
  const panel = { root, view, number, heading, parting, selected, heads: state.heads, mean: meanMap(selected) };
  root.querySelector("details").addEventListener("toggle", (event) => {
    if (event.target.open) drawTable(panel);
  });
  return panel;
}

function tokenColumn(side) {
  return element("div", {
    class: `tokens ${side}`, role: "toolbar", "aria-orientation": "vertical", "aria-label": sideName(side),
  });
}

/** What a column is: the language of its tokens, and what they do. */
function sideName(side) {
  const ofSource = state.kind === "encoder" || (state.kind === "cross" && side === "key");
  const { source_language: source, target_language: target } = currentSentence().model;
  const language = languageName(ofSource ? source : target) || (ofSource ? "Source" : "Translation");
  return `${language}, ${side === "query" ? "looking" : "looked at"}`;
}

function languageName(code) {
  try {
    return code && new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  } catch {
    return code;
  }
}

/** Draws everything anew; a pinned token stays while the tokens do. */
function draw() {
  settle();
  writeAddress();
  const { sentence, hypothesis, beside, kind, units, hideEnds } = state;
  const tokens = [sentence, hypothesis, beside, kind, units, hideEnds].join();
  if (tokens !== drawnTokens) pinned = null;
  drawnTokens = tokens;
  pointed = null;
  document.documentElement.dataset.theme = theme();
  const openTables = panels.map((panel) => panel.root.querySelector("details").open);
  const places = partingPlaces();
  panels = currentHypotheses().map((hypothesis, i) => makePanel(hypothesis, i, places.shown));
  byId("panels").replaceChildren(...panels.map((panel) => panel.root));
  byId("panels").classList.toggle("two", panels.length > 1);
  drawText(places.said);
  drawChoices();
  buildHeads(currentSentence().layers, currentSentence().heads);
  panels.forEach((panel, i) => {
    panel.root.querySelector("details").open = openTables[i] ?? false;
    drawLines(panel);
    drawMap(panel);
  });
  drawHeads(panels[0].view);
  show();
}

/** Where two hypotheses part: in a sentence of text, and the place in the columns shown. */
function partingPlaces() {
  const [one, other] = currentHypotheses();
  if (!other) return { said: "", shown: -1 };
  const labels = (units) => [one.after[units], other.after[units]];
  const place = partingPlace(...labels(state.units));
  if (place >= 0) {
    const shown = state.kind === "decoder" && !state.hideEnds ? place + 1 : place;
    return { said: partingText(state.units, place, ...labels(state.units)), shown };
  }
  const inPieces = partingPlace(...labels("pieces"));
  if (inPieces < 0) return { said: "They are the same.", shown: -1 };
  const said = `Their words are the same. ${partingText("pieces", inPieces, ...labels("pieces"))}`;
  const word = one.after.numbers[inPieces];
  return { said, shown: state.kind === "decoder" && !state.hideEnds ? word + 1 : word };
}

function partingText(units, place, mine, theirs) {
  const name = (labels) => (isEnd(labels, place) ? "its end" : `'${labels[place]}'`);
  const unit = units === "words" ? "word" : "piece";
  return `They part at ${unit} ${place + 1}: ${name(mine)} / ${name(theirs)}`;
}

/** The sentence, the translations that are shown, with their scores. */
function drawText(parting) {
  const sentence = currentSentence();
  const { name, source_language: source, target_language: target } = sentence.model;
  byId("model").textContent = [name, source && `${source} → ${target}`].filter(Boolean).join(", ");
  byId("source").textContent = sentence.text;
  byId("source").lang = source;
  byId("source").parentElement.classList.toggle("long", sentence.text.length > 160);
  const beside = sentence.hypotheses[state.beside];
  const shown = [sentence.hypotheses[state.hypothesis], ...(beside ? [beside] : [])];
  const number = (value, digits) => (value === null ? "–" : value.toFixed(digits).replace("-", "−"));
  byId("translations").replaceChildren(...shown.map((hypothesis) => element("li", {},
    element("span", { class: "rank" }, String(hypothesis.rank)),
    element("div", {},
      element("bdi", { class: "translation", lang: target }, hypothesis.text), " ",
      element("span", { class: "score" }, `score ${number(hypothesis.score, 3)}, `
        + `log probability ${number(hypothesis.log_probability, 2)}`)))));
  byId("parting").textContent = parting || (beside ? "The encoder sees the source alone: it is the same for both." : "");
}

/** Brings every control to the state. */
function drawChoices() {
  const { hypotheses } = currentSentence();
  const named = hypotheses.map(({ rank, text }) => `${rank}. ${text}`);
  options(byId("sentence"), DATA.sentences.map(({ text }, i) => `${i + 1}. ${text}`), state.sentence);
  options(byId("hypothesis"), named, state.hypothesis);
  options(byId("beside"), ["none", ...named], state.beside + 1);
  byId("beside").options[state.hypothesis + 1].disabled = true;
  byId("beside").disabled = hypotheses.length < 2;
  for (const name of ["kind", "units", "mixing"]) {
    for (const input of byId(name).querySelectorAll("input")) input.checked = input.value === state[name];
  }
  byId("hide-ends").checked = state.hideEnds;
  byId("threshold").value = state.threshold;
  byId("threshold-value").textContent = state.threshold.toFixed(2);
  byId("theme").setAttribute("aria-pressed", theme() === "dark");
  byId("note").textContent = state.kind === "cross"
    ? "In cross-attention a row is labelled with the token that the step wrote."
    : "In self-attention a row is labelled with the token that it stands on.";
}

function options(select, texts, chosen) {
  select.replaceChildren(...texts.map((text, i) => element("option", { value: i }, text)));
  select.value = chosen;
}

/** Shows the token that is pointed at, else the pinned one, else all lines. */
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
    || "Point at a token, tap it or move to it with Tab and the arrows to see where it looks.";
  byId("by-head").replaceChildren(...headReadout());
}

function buttonOf(panel, token) {
  return token?.panel === panel.number ? panel.buttons[token.side][token.index] : undefined;
}

/** What is shown, in words: of every panel in which a token is shown. */
function readoutText() {
  const shown = panels.filter((panel) => panel.token);
  return shown.map((panel) => {
    const { side, index, other } = panel.token;
    const { queries, keys } = panel.view;
    const [mine, others] = side === "query" ? [queries, keys] : [keys, queries];
    const weights = weightsOf(panel.mean, keys.length, side, index);
    const begin = shown.length > 1 ? `${panel.heading.split(" ")[0]}: ` : "";
    const cell = other === undefined ? "" : `${others[other]} ${weights[other].toFixed(2)} in this cell; `;
    const verb = side === "query" ? "looks at" : "is looked at by";
    return `${begin}'${mine[index]}' ${verb}: ${cell}${strongest(weights, others)}`;
  }).join("\n") + (shown.length ? meanText() : "");
}

/** The strongest weights with their tokens. */
function strongest(weights, labels, most = 6) {
  const places = [...weights.keys()].filter((i) => weights[i] >= Math.max(state.threshold, 0.005));
  places.sort((i, j) => weights[j] - weights[i]);
  if (!places.length) return `nothing as much as ${Math.max(state.threshold, 0.005)}`;
  const told = places.slice(0, most).map((i) => `${labels[i]} ${weights[i].toFixed(2)}`).join(", ");
  return places.length > most ? `${told} and ${places.length - most} more` : told;
}

/** The strongest weight of each of several heads, in its hue, where one panel shows a token. */
function headReadout() {
  const [panel, second] = panels.filter(({ token }) => token);
  if (!panel || second || state.heads.length < 2 || state.heads.length > 12) return [];
  const { side, index } = panel.token;
  const labels = side === "query" ? panel.view.keys : panel.view.queries;
  return panel.selected.map((map, m) => {
    const weights = weightsOf(map, panel.view.keys.length, side, index);
    const best = weights.indexOf(Math.max(...weights));
    const [layer, head] = panel.heads[m];
    const told = element("span", {}, `${layer + 1}.${head + 1} ${labels[best]} ${weights[best].toFixed(2)}`);
    told.style.setProperty("--hue", css(hueOf(head)));
    return told;
  });
}

/** Pointing, clicking and keys on tokens and maps. */
function listenToPanels() {
  const place = byId("panels");
  const panelOf = (target) => panels.find(({ root }) => root.contains(target));
  const tokenOf = (target, event) => {
    const panel = panelOf(target);
    const button = target.closest(".token");
    if (button) return { panel: panel.number, side: button.dataset.side, index: Number(button.dataset.index) };
    const cell = target.closest(".map svg") && cellAt(panel, event);
    return cell ? { panel: panel.number, ...cell } : null;
  };
  const same = (a, b) => ["panel", "side", "index", "other"].every((key) => a?.[key] === b?.[key]);
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
    for (const button of event.target.parentElement.children) button.tabIndex = button === event.target ? 0 : -1;
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

/** The token that an arrow key leads to. */
function tokenBeside(panel, button, key) {
  const index = Number(button.dataset.index);
  const column = panel.buttons[button.dataset.side];
  const [left, right] = [panel.buttons.query, panel.buttons.key];
  const level = (other) => other[Math.min(index, other.length - 1)];
  return {
    ArrowUp: column[index - 1],
    ArrowDown: column[index + 1],
    Home: column[0],
    End: column.at(-1),
    ArrowLeft: column === right && level(left),
    ArrowRight: column === left && level(right),
  }[key];
}

/** Every control changes the state, and all is drawn anew. */
function listenToChoices() {
  const on = (id, event, change) => byId(id).addEventListener(event, ({ target }) => {
    change(target);
    draw();
  });
  on("sentence", "change", ({ value }) => Object.assign(state, { sentence: Number(value), hypothesis: 0, beside: -1 }));
  on("hypothesis", "change", ({ value }) => { state.hypothesis = Number(value); });
  on("beside", "change", ({ value }) => { state.beside = Number(value) - 1; });
  for (const name of ["kind", "units", "mixing"]) on(name, "change", ({ value }) => { state[name] = value; });
  on("hide-ends", "change", ({ checked }) => { state.hideEnds = checked; });
  byId("threshold").addEventListener("input", ({ target }) => {
    state.threshold = Number(target.value);
    byId("threshold-value").textContent = state.threshold.toFixed(2);
    panels.forEach(drawLines);
    show();
  });
  byId("threshold").addEventListener("change", writeAddress);
  on("theme", "click", () => { state.theme = theme() === "dark" ? "light" : "dark"; });
  byId("save-svg").addEventListener("click", saveSvg);
  byId("save-png").addEventListener("click", savePng);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  addEventListener("hashchange", () => { readAddress(); draw(); });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    pointed = pinned = null;
    show();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (width !== innerWidth) draw(); // not where a phone only hides its address bar
    width = innerWidth;
  });
}

/** The kinds of attention to choose from. */
function buildKinds() {
  byId("kind").append(...Object.entries(DATA.kinds).map(([kind, name]) => {
    const [short] = name.split(" ");
    const input = element("input", { type: "radio", name: "kind", value: kind, "aria-label": name });
    return element("label", { title: name }, input, element("span", {}, kind === "cross" ? "cross" : short));
  }));
}

function start() {
  if (!DATA.sentences.length) {
    document.querySelector("main").replaceChildren(element("p", { id: "readout" }, "Nothing was recorded."));
    return;
  }
  buildKinds();
  readAddress();
  listenToChoices();
  listenToPanels();
  listenToHeads(draw);
  draw();
  requestAnimationFrame(() => setTimeout(() => performance.mark("drawn")));
}

start();

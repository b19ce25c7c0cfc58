// Panels: one for each hypothesis, the difference of two, and the weights of a token.

/** Makes the panel of a hypothesis: its maps, and its elements, still empty. */
function makePanel(hypothesis, number, difference) {
  const sentence = currentSentence();
  const view = mapsOf(sentence, hypothesis, state);
  const selected = state.heads.map(([layer, head]) => oneMap(view, layer * sentence.heads[state.kind] + head));
  const isEncoder = state.kind === "encoder";
  const heading = isEncoder ? sentence.text : `${hypothesis.rank}  ${hypothesis.text}`;
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
      element("div", { class: "frame", hidden: "" }),
      element("div", { class: "frame", hidden: "" })),
    element("details", {}, element("summary", {}, "Numbers of the map"),
      element("div", { class: "numbers", tabindex: 0 }, element("table"))));
  root.classList.toggle("large", view.keys.length > 26);
  const panel = {
    root, view, number, heading, difference, selected, heads: state.heads, mean: meanMap(selected),
  };
  root.querySelector("details").addEventListener("toggle", (event) => {
    if (event.target.open) drawTable(panel);
  });
  return panel;
}

function tokenColumn(side) {
  return element("div", {
    class: `tokens ${side}`, role: "toolbar", "aria-orientation": "vertical",
    "aria-label": sideName(side),
  });
}

/** The name of a column: the language of its tokens, and whether they look or are looked at. */
function sideName(side) {
  const ofSource = state.kind === "encoder" || (state.kind === "cross" && side === "key");
  const { source_language: source, target_language: target } = currentSentence().model;
  const [code, name] = ofSource ? [source, "Source"] : [target, "Translation"];
  const language = languageName(code) || name;
  return `${language}, ${side === "query" ? "looking" : "looked at"}`;
}

function languageName(code) {
  try {
    return code && new Intl.DisplayNames(["en"], { type: "language" }).of(code);
  } catch {
    return code;
  }
}

/** Where two hypotheses first differ: as text, and as the number of the token shown. */
function findDifference() {
  const [first, second] = currentHypotheses();
  if (!second) return { text: "", shown: -1 };
  const labels = (units) => [first.after[units], second.after[units]];
  const place = firstDifference(...labels(state.units));
  if (place >= 0) {
    const shown = state.kind === "decoder" && !state.hideEnds ? place + 1 : place;
    return { text: differenceText(state.units, place, ...labels(state.units)), shown };
  }
  const inPieces = firstDifference(...labels("pieces"));
  if (inPieces < 0) return { text: "The two translations are the same.", shown: -1 };
  const pieceText = differenceText("pieces", inPieces, ...labels("pieces"));
  const text = `Their words are the same. ${pieceText}`;
  const word = first.after.numbers[inPieces];
  return { text, shown: state.kind === "decoder" && !state.hideEnds ? word + 1 : word };
}

function differenceText(units, place, first, second) {
  const name = (labels) => (isEnd(labels, place) ? "its end" : `'${labels[place]}'`);
  const unit = units === "words" ? "word" : "piece";
  return `They first differ at ${unit} ${place + 1}: ${name(first)} / ${name(second)}`;
}

/** Describes in words the token shown in each panel. */
function readoutText() {
  const shown = panels.filter((panel) => panel.token);
  return shown.map((panel) => {
    const { side, index, opposite } = panel.token;
    const { queries, keys } = panel.view;
    const [labels, opposites] = side === "query" ? [queries, keys] : [keys, queries];
    const weights = weightsOf(panel.mean, keys.length, side, index);
    const begin = shown.length > 1 ? `${panel.heading.split(" ")[0]}: ` : "";
    const inCell = () => `${opposites[opposite]} ${weights[opposite].toFixed(2)} in this cell; `;
    const cell = opposite === undefined ? "" : inCell();
    const verb = side === "query" ? "looks at" : "is looked at by";
    return `${begin}'${labels[index]}' ${verb}: ${cell}${strongest(weights, opposites)}`;
  }).join("\n") + (shown.length ? meanText() : "");
}

/** The strongest weights with their tokens. */
function strongest(weights, labels, most = 6) {
  const lowest = Math.max(state.threshold, 0.005);
  const places = [...weights.keys()].filter((i) => weights[i] >= lowest);
  places.sort((i, j) => weights[j] - weights[i]);
  if (!places.length) return `nothing with a weight of at least ${lowest}`;
  const text = places.slice(0, most).map((i) => `${labels[i]} ${weights[i].toFixed(2)}`).join(", ");
  return places.length > most ? `${text} and ${places.length - most} more` : text;
}

/** The strongest weight of each selected head in its colour, if one panel shows a token. */
function headReadout() {
  const [panel, second] = panels.filter(({ token }) => token);
  if (!panel || second || state.heads.length < 2 || state.heads.length > 12) return [];
  const { side, index } = panel.token;
  const labels = side === "query" ? panel.view.keys : panel.view.queries;
  return panel.selected.map((map, m) => {
    const weights = weightsOf(map, panel.view.keys.length, side, index);
    const best = weights.indexOf(Math.max(...weights));
    const [layer, head] = panel.heads[m];
    const weight = `${labels[best]} ${weights[best].toFixed(2)}`;
    const span = element("span", {}, `${layer + 1}.${head + 1} ${weight}`);
    span.style.setProperty("--hue", css(hueOf(head)));
    return span;
  });
}

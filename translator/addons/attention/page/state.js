// The reader's choices. The page's address contains them, so that a view can be shared.

const state = {
  frame: DATA.frames.length - 1, // of a training
  sentence: 0,
  hypothesis: 0,
  beside: -1, // a second hypothesis to compare with; -1 for none
  kind: "cross",
  heads: [], // [layer, head], from 0, in the order of the grid
  units: "words",
  mixing: "colours",
  hideEnds: false,
  threshold: 0.05,
  theme: "", // the system's theme if empty
};
const UNITS = ["words", "pieces"];
const MIXING = ["colours", "mean"];

const currentFrame = () => DATA.frames[state.frame];
const currentSentence = () => currentFrame().sentences[state.sentence];

/** The hypotheses shown; encoder self-attention is the same for all of them. */
function currentHypotheses() {
  const all = currentSentence().hypotheses;
  const beside = state.beside >= 0 && state.kind !== "encoder" ? [all[state.beside]] : [];
  return [all[state.hypothesis], ...beside];
}

const isSelected = (layer, head) => state.heads.some(([l, h]) => l === layer && h === head);

/** Selects heads only, or adds them to the selection; removes them if all were selected. */
function selectHeads(heads, several) {
  if (!several) {
    state.heads = heads;
  } else if (heads.every(([layer, head]) => isSelected(layer, head))) {
    const rest = state.heads.filter(([l, h]) => !heads.some(([a, b]) => a === l && b === h));
    if (rest.length) state.heads = rest;
  } else {
    state.heads.push(...heads.filter(([layer, head]) => !isSelected(layer, head)));
  }
  state.heads.sort(([l, h], [m, i]) => l - m || h - i);
}

/** The head of cross-attention, [layer, head], that aligns the chosen hypothesis best, or null. */
function aligningHead() {
  const { layers, heads, hypotheses } = currentSentence();
  const pair = hypotheses[state.hypothesis].aligning;
  return pair && pair[0] < layers.cross && pair[1] < heads.cross ? pair : null;
}

/** The head that is shown first: the aligning one, or the first of the last layer. */
const firstHead = () => (
  (state.kind === "cross" && aligningHead()) || [currentSentence().layers[state.kind] - 1, 0]
);

/** What a head does on this sentence and translation, in words. */
function verdictOf([layer, head]) {
  const [l, h] = (state.kind === "cross" && aligningHead()) || [];
  return layer === l && head === h ? "aligns the words best"
    : currentSentence().hypotheses[state.hypothesis].verdicts[state.kind][layer][head];
}

/** Replaces choices that the recorded sentences cannot show. */
function settle() {
  const isIndex = (value, count) => Number.isInteger(value) && value >= 0 && value < count;
  const whole = (value, count) => (isIndex(value, count) ? value : 0);
  if (!isIndex(state.frame, DATA.frames.length)) state.frame = DATA.frames.length - 1;
  state.sentence = whole(state.sentence, currentFrame().sentences.length);
  const { layers, heads, hypotheses } = currentSentence();
  state.hypothesis = whole(state.hypothesis, hypotheses.length);
  if (!hypotheses[state.beside] || state.beside === state.hypothesis) state.beside = -1;
  if (!Object.hasOwn(DATA.kinds, state.kind)) state.kind = "cross";
  if (!UNITS.includes(state.units)) state.units = UNITS[0];
  if (!MIXING.includes(state.mixing)) state.mixing = MIXING[0];
  if (!(state.threshold >= 0 && state.threshold <= 0.5)) state.threshold = 0.05;
  const [rows, columns] = [layers[state.kind], heads[state.kind]];
  state.heads = state.heads.filter(([l, h]) => isIndex(l, rows) && isIndex(h, columns));
  if (!state.heads.length) state.heads = [firstHead()];
}

function readAddress() {
  const choices = new URLSearchParams(location.hash.slice(1));
  const number = (name) => (choices.has(name) ? Number(choices.get(name)) - 1 : state[name]);
  for (const name of ["frame", "sentence", "hypothesis", "beside"]) state[name] = number(name);
  for (const name of ["kind", "units", "mixing", "theme"]) {
    state[name] = choices.get(name) ?? state[name];
  }
  state.hideEnds = choices.has("ends") ? choices.get("ends") === "hidden" : state.hideEnds;
  state.threshold = Number(choices.get("threshold") ?? state.threshold);
  if (choices.has("heads")) {
    const names = [...new Set(choices.get("heads").split(" "))];
    const pairs = names.map((name) => name.split(".").map((number) => number - 1));
    state.heads = [];
    selectHeads(pairs, true);
  }
  settle();
}

function writeAddress() {
  const choices = new URLSearchParams({
    ...(DATA.frames.length > 1 && { frame: state.frame + 1 }),
    sentence: state.sentence + 1,
    hypothesis: state.hypothesis + 1,
    ...(state.beside >= 0 && { beside: state.beside + 1 }),
    kind: state.kind,
    heads: state.heads.map(([layer, head]) => `${layer + 1}.${head + 1}`).join(" "),
    units: state.units,
    ...(state.mixing !== MIXING[0] && { mixing: state.mixing }),
    ...(state.hideEnds && { ends: "hidden" }),
    threshold: state.threshold,
    ...(state.theme && { theme: state.theme }),
  });
  try {
    history.replaceState(null, "", `#${choices}`);
  } catch {
    // Inside another page, such as a notebook, the address cannot be changed.
  }
}

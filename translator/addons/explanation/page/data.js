// The explanation's data, and the reader's choices. Nothing here changes the page.

const LAST = { nextToken: "next token", without: "without this head", search: "the search" };
const WHOLE = "the whole model";

/** The float32 numbers of a base64 string. */
function unpack(text) {
  const bytes = bytesOf(text);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

const STEPS = [
  {
    name: WHOLE,
    formula: "",
    text: `The red box is layer ${DATA.layer}, head ${DATA.head}. The steps follow a sentence from`
      + " its pieces to this head, through it, and on to the next word.",
  },
  ...DATA.steps.map((step) => ({ ...step, numbers: unpack(step.numbers) })),
];
const WRITING = DATA.groups.at(-1);
if (DATA.kind !== "encoder") {
  STEPS.push({ name: LAST.nextToken, group: WRITING, ...DATA.output });
}
STEPS.push({
  name: LAST.without, group: WRITING, formula: "A · V · W_O[head] = 0", text: DATA.silence,
});
if (DATA.branches.length) {
  STEPS.push({
    name: LAST.search,
    group: WRITING,
    formula: "log probability / length",
    text: "At each step, the beam keeps the best hypotheses, also ended ones. The path of the"
      + " translation is bold. The other branches are further hypotheses that the beam kept.",
  });
}

const stepCalled = (name) => STEPS.find((step) => step.name === name);

const state = {
  step: 0, // the whole model is before step 1
  row: DATA.row,
  key: 0,
  showsDropped: false,
  theme: "", // the system's theme if empty
};

/** The key that a row looks at most. */
function strongestKey(row) {
  const { numbers, width } = stepCalled("weights");
  const weights = numbers.subarray(row * width, (row + 1) * width);
  return weights.indexOf(Math.max(...weights));
}
state.key = strongestKey(state.row);

/** The row of a step's numbers that the reader has chosen. */
const chosenRow = (step) => (step.isOfKeys ? state.key : state.row);

const valueAt = (step, row, column) => step.numbers[row * step.width + column];

/** A number with four significant digits, and a real minus sign. */
function written(number) {
  const size = Math.abs(number);
  if (size >= 1e6) return number < 0 ? "−10⁹" : "10⁹";
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.001 ? 3 : 5;
  return number.toFixed(digits).replace("-", "−");
}

const percent = (share) => `${(100 * share).toFixed(share > 0.1 ? 1 : 2)} %`;

function readAddress() {
  const choices = new URLSearchParams(location.hash.slice(1));
  const number = (name, count, first = 1) => {
    const value = Number(choices.get(name)) - first;
    return choices.has(name) && Number.isInteger(value) && value >= 0 && value < count
      ? value : state[name];
  };
  const { rows, columns } = stepCalled("weights");
  state.step = number("step", STEPS.length, 0);
  state.row = number("row", rows.length);
  state.key = strongestKey(state.row);
  state.key = number("key", columns.length);
  state.theme = choices.get("theme") ?? state.theme;
}

function writeAddress() {
  const choices = new URLSearchParams({
    step: state.step,
    row: state.row + 1,
    key: state.key + 1,
    ...(state.theme && { theme: state.theme }),
  });
  try {
    history.replaceState(null, "", `#${choices}`);
  } catch {
    // Inside another page, such as a notebook, the address cannot be changed.
  }
}

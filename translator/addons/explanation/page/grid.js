// The numbers of a step as a grid of coloured cells, with labels, a frame and a readout.

const ROW = 22; // pixels
const WIDEST = 34; // a cell with a labelled column
const NARROWEST = 14; // a narrower grid scrolls

/** Paints numbers into a canvas, a pixel each; CSS makes the pixels large. */
function paint(canvas, numbers, width, kind, scale) {
  const height = numbers.length / width;
  Object.assign(canvas, { width, height });
  const image = new ImageData(width, height);
  for (let i = 0; i < numbers.length; i++) {
    image.data.set([...colourOf(numbers[i], kind, scale), 255], 4 * i);
  }
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** The name of a column of a step. */
const columnName = (step, column) => step.columns?.[column] ?? `number ${column + 1}`;

/** Shows a number with the names of its row and column. */
function sayNumber(step, row, column) {
  const number = valueAt(step, row, column);
  const value = step.kind === "share" ? percent(number)
    : step.kind === "mask" ? (number ? "may look" : "hidden") : written(number);
  byId("readout").textContent = `${step.rows[row]}, ${columnName(step, column)}: ${value}`;
}

/** Shows how long the chosen row is, or what it looks at most. */
function sayRow(step) {
  const row = chosenRow(step);
  const numbers = step.numbers.subarray(row * step.width, (row + 1) * step.width);
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  byId("readout").textContent = step.kind === "share"
    ? `${step.rows[row]} looks most at ${columnName(step, strongestKey(row))}:`
      + ` ${percent(Math.max(...numbers))}`
    : step.columns ? "Point at a cell to see its number."
      : `${step.rows[row]}: ${numbers.length} numbers, length ${written(length)}.`
        + " Point at a cell to see its number.";
}

/** Draws the grid of a step. */
function drawGrid(step) {
  const { rows, columns, width, kind } = step;
  const canvas = element("canvas", { tabindex: 0, role: "img", "aria-label": step.name });
  const scale = scaleOf(step);
  paint(canvas, step.numbers, width, kind, scale);
  canvas.style.height = `${ROW * rows.length}px`;
  const frame = element("div", { class: "frame" });
  frame.style.top = `${ROW * chosenRow(step)}px`;
  const cell = element("div", { class: "cell" });
  const sheet = element("div", { class: "sheet" }, canvas, frame, cell);
  const tops = element("div", { class: "tops" },
    ...(columns ?? []).map((label) => element("span", {}, label)));
  for (const part of columns ? [sheet, tops] : []) {
    part.style.maxWidth = `${WIDEST * width}px`;
    part.style.minWidth = `${NARROWEST * width}px`;
  }
  const at = { row: chosenRow(step), column: columns && !step.isOfKeys ? state.key : 0 };
  const show = () => {
    cell.style.left = `${(100 * at.column) / width}%`;
    cell.style.width = `${100 / width}%`;
    cell.style.top = `${ROW * at.row}px`;
    cell.classList.add("shown");
    sayNumber(step, at.row, at.column);
  };
  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    const place = (from, size, count) =>
      Math.max(0, Math.min(count - 1, Math.floor((from / size) * count)));
    at.row = place(event.clientY - box.top, box.height, rows.length);
    at.column = place(event.clientX - box.left, box.width, width);
    show();
  };
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerleave", () => {
    cell.classList.remove("shown");
    sayRow(step);
  });
  canvas.addEventListener("click", (event) => {
    point(event);
    choose(step, at.row, at.column);
  });
  canvas.addEventListener("keydown", (event) => {
    const [down, right] = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    }[event.key] ?? [0, 0];
    if (event.key === "Enter") choose(step, at.row, at.column);
    if (!down && !right) return;
    event.preventDefault();
    at.row = Math.max(0, Math.min(rows.length - 1, at.row + down));
    at.column = Math.max(0, Math.min(width - 1, at.column + right));
    show();
  });
  const names = element("div", { class: "names" }, ...rows.map((label, row) => element(
    "button", {
      type: "button", class: "name", "aria-pressed": row === chosenRow(step),
      onclick: () => choose(step, row, null),
    }, label)));
  return element("div", { class: "grid" }, element("div"), tops, names, sheet);
}

/** Chooses a row of a grid, or a cell. */
function choose(step, row, column) {
  if (step.isOfKeys) {
    state.key = row;
  } else {
    if (row !== state.row) state.key = strongestKey(row);
    state.row = row;
    if (column !== null && step.columns && step.columns.length === DATA_KEYS.length
      && step.name !== "each head adds") state.key = column;
  }
  draw();
}

/** The legend of a step's colours. */
function drawLegend(step) {
  if (step.kind === "mask") {
    return [swatch(1, "may look"), swatch(0, "hidden")];
  }
  const scale = scaleOf(step);
  const bar = element("span", { class: "bar" });
  bar.style.background = gradientOf(step.kind);
  const ends = step.kind === "signed" ? [written(-scale), written(scale)]
    : step.kind === "share" ? ["0 %", "100 %"] : ["0", written(scale)];
  return [element("span", {}, ends[0]), bar, element("span", {}, ends[1])];
}

function swatch(number, text) {
  const box = element("span", { class: "swatch" });
  box.style.background = css(colourOf(number, "mask", 1));
  return element("span", { class: "key" }, box, text);
}

// The search as a tree: from left to right the pieces, from top to bottom what was kept.

const DOWN = 24; // pixels from a branch to the next
const BETWEEN = 34; // from the end of a label to the next piece
const WIDEST_PIECE = 130;

/** The numbers of the branches that end in the translation. */
function bestPath() {
  const path = new Set();
  let at = DATA.branches.findIndex((branch) => branch.rank === 1);
  while (at !== -1 && at !== null) {
    path.add(at);
    at = DATA.branches[at].parent;
  }
  return path;
}

/** The places of the branches that are shown: {x, y} by number. */
function placesOf(best) {
  const children = new Map();
  DATA.branches.forEach(({ parent, fate }, i) => {
    if (fate === "dropped" && !state.showsDropped && !isContinued(i)) return;
    children.set(parent, [...(children.get(parent) ?? []), i]);
  });
  const pieces = cellsOf(null, children, best).filter(({ isPiece }) => isPiece);
  return new Map(pieces.map(({ owner, x, y }) => [owner, { x, y }]));
}

/**
 * The cells that a branch takes with all that follows it, its own row being 0: of pieces, and of
 * lines, which are half a step before the piece that they lead to. The first branch that follows
 * goes on in the row; each other one is as far up as it crosses nothing.
 */
function cellsOf(i, children, best) {
  const x = DATA.branches[i]?.step;
  const cells = i === null ? [] : [{ owner: i, isPiece: true, x, y: 0 }];
  const owners = new Map(cells.map((cell) => [placeOf(cell), i]));
  const isFree = (cell) => !owners.has(placeOf(cell))
    || owners.get(placeOf(cell)) === cell.owner;
  const own = (children.get(i) ?? []).sort((a, b) => best.has(b) - best.has(a) || a - b);
  own.forEach((child, number) => {
    const below = cellsOf(child, children, best);
    const line = { owner: i, isPiece: false, x: DATA.branches[child].step - 0.5 };
    let added = [];
    for (let down = Math.min(number, 1); !added.length; down += 1) {
      const lines = Array.from({ length: down + 1 }, (_, y) => ({ ...line, y }));
      const moved = [...lines, ...below.map((cell) => ({ ...cell, y: cell.y + down }))];
      if (moved.every(isFree)) added = moved;
    }
    cells.push(...added);
    for (const cell of added) owners.set(placeOf(cell), cell.owner);
  });
  return cells;
}

const placeOf = ({ x, y }) => `${x} ${y}`;

const CONTINUED = new Set(DATA.branches.map(({ parent }) => parent));
const isContinued = (i) => CONTINUED.has(i);

/** The text up to a branch. */
function textUpTo(i) {
  const pieces = [];
  for (let at = i; at !== null; at = DATA.branches[at].parent) {
    pieces.unshift(DATA.branches[at].piece);
  }
  return pieces.join("").replaceAll("▁", " ").trim();
}

/** Says a branch in words. */
function sayBranch(i) {
  const { piece, probability, log_probability: sum, fate, score, rank } = DATA.branches[i];
  const end = fate === "ended" ? `number ${rank} of those that ended, score ${written(score)}` : fate;
  byId("readout").textContent = `${textUpTo(i)}: ${piece} with ${percent(probability)},`
    + ` log probability ${written(sum)}; ${end}`;
}

/** What is written for a branch: the piece, and its share or its rank. */
function labelOf(i) {
  const { piece, probability, rank } = DATA.branches[i];
  const share = probability < 0.005 ? "<1 %" : `${Math.round(100 * probability)} %`;
  return { piece: fitted(piece, WIDEST_PIECE), share: rank ? `no. ${rank}` : share };
}

/** How far from the left each step begins, that of the start token first. */
function columnsOf(places) {
  const widths = [textWidth(DATA.labels.reads[0])];
  for (const [i, { x }] of places) {
    const { piece, share } = labelOf(i);
    widths[x + 1] = Math.max(widths[x + 1] ?? 0, textWidth(`${piece} ${share}`));
  }
  const columns = [2];
  for (const width of widths) columns.push(columns.at(-1) + width + BETWEEN);
  return { columns, widths };
}

function drawTree() {
  const best = bestPath();
  const places = placesOf(best);
  const { columns, widths } = columnsOf(places);
  const height = DOWN * (1 + Math.max(...[...places.values()].map(({ y }) => y)));
  const width = columns.at(-1);
  const svg = drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const middle = (y) => (y + 0.5) * DOWN;
  const left = (x) => columns[x + 1];
  const start = DATA.labels.reads[0];
  const ends = new Map([[null, columns[0] + widths[0]]]); // of labels
  for (const [i, { x }] of places) {
    const { piece, share } = labelOf(i);
    ends.set(i, left(x) + textWidth(`${piece} ${share}`));
  }
  const bestLast = [...places].sort(([a], [b]) => best.has(a) - best.has(b));
  for (const [i, { x, y }] of bestLast) {
    const { parent, probability, fate } = DATA.branches[i];
    const [from, to] = [ends.get(parent) + 5, left(x) - 5];
    const [top, bottom] = [middle(places.get(parent)?.y ?? 0), middle(y)];
    const bend = columns[x + 1] - BETWEEN / 2;
    svg.append(drawing("path", {
      d: `M${from},${top}H${bend - 9}C${bend},${top} ${bend - 2},${bottom} ${to},${bottom}`,
      class: best.has(i) ? "best" : fate,
      "stroke-width": (1 + 2.5 * Math.sqrt(probability)).toFixed(2),
    }));
  }
  svg.append(drawing("text", { x: columns[0], y: middle(0), dy: ".35em", class: "best" }, start));
  for (const [i, { x, y }] of places) {
    const { piece, share } = labelOf(i);
    const text = drawing("text", {
      x: left(x), y: middle(y), dy: ".35em", tabindex: 0,
      class: best.has(i) ? "best" : DATA.branches[i].fate,
    }, drawing("tspan", {}, piece), drawing("tspan", { class: "share", dx: 5 }, share));
    text.addEventListener("pointerenter", () => sayBranch(i));
    text.addEventListener("focus", () => sayBranch(i));
    svg.append(text);
  }
  const dropped = element("input", { type: "checkbox", id: "dropped", onchange: (event) => {
    state.showsDropped = event.target.checked;
    draw();
  } });
  dropped.checked = state.showsDropped;
  return [
    element("label", { class: "check" }, dropped, "show what was dropped"),
    element("div", { class: "tree" }, svg),
  ];
}

const pen = document.createElement("canvas").getContext("2d");

function textWidth(text) {
  pen.font = "600 13px system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
  return pen.measureText(text).width;
}

/** A text cut to fit a width, with an ellipsis. */
function fitted(text, width) {
  const characters = [...text];
  const shown = () => (characters.length < [...text].length ? `${characters.join("")}…` : text);
  while (characters.length > 1 && textWidth(shown()) > width) characters.pop();
  return shown();
}

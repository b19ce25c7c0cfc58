// The search as a tree: pieces from left to right, hypotheses from top to bottom.

const DOWN = 24; // pixels from a branch to the next
const BETWEEN = 34; // from the end of a label to the next piece
const LEAD = 24; // before the first piece of a band that continues the one above
const APART = 26; // between bands
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
 * The cells of a branch and of all that follow it; its own row is 0. A cell holds a piece, or a
 * line, half a step before the piece that it leads to. The first branch that follows stays in the
 * row; the others are as far up as they can be without crossing anything.
 */
function cellsOf(i, children, best) {
  const x = DATA.branches[i]?.step;
  const cells = i === null ? [] : [{ owner: i, isPiece: true, x, y: 0 }];
  const owners = new Map(cells.map((cell) => [placeOf(cell), i]));
  const isFree = (cell) => !owners.has(placeOf(cell))
    || owners.get(placeOf(cell)) === cell.owner;
  const following = (children.get(i) ?? []).sort((a, b) => best.has(b) - best.has(a) || a - b);
  following.forEach((child, number) => {
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

/** Shows a branch in words. */
function sayBranch(i) {
  const { piece, probability, log_probability: sum, fate, score, rank } = DATA.branches[i];
  const end = fate === "ended" ? `rank ${rank} of those that ended, score ${written(score)}` : fate;
  byId("readout").textContent = `${textUpTo(i)}: ${piece} with ${percent(probability)},`
    + ` log probability ${written(sum)}; ${end}`;
}

/** The label of a branch: the piece, and its share or its rank. */
function labelOf(i) {
  const { piece, probability, rank } = DATA.branches[i];
  const share = probability < 0.005 ? "<1 %" : `${Math.round(100 * probability)} %`;
  return { piece: fitted(piece, WIDEST_PIECE), share: rank ? `no. ${rank}` : share };
}

/** The width of each step, which is that of its widest label; the start token comes first. */
function widthsOf(places) {
  const widths = [textWidth(DATA.labels.reads[0])];
  for (const [i, { x }] of places) {
    const { piece, share } = labelOf(i);
    widths[x + 1] = Math.max(widths[x + 1] ?? 0, textWidth(`${piece} ${share}`) + 5);
  }
  return widths;
}

/**
 * The steps in bands that fit into a width, one below the other, like the lines of a text:
 * {first, last, lefts: of the steps, right, rows: of the tree that it shows, top}.
 */
function bandsOf(places, widths, room) {
  const bands = [];
  widths.forEach((width, i) => {
    const step = i - 1;
    let band = bands.at(-1);
    if (!band || band.right + width > room) {
      band = { first: step, lefts: new Map(), right: bands.length ? LEAD : 2, rows: [] };
      bands.push(band);
    }
    band.lefts.set(step, band.right);
    band.last = step;
    band.right += width + BETWEEN;
  });
  const rowOf = (i) => places.get(i)?.y ?? 0;
  let top = 0;
  for (const band of bands) {
    const rows = new Set(band.first < 0 ? [0] : []);
    for (const [i, { x, y }] of places) {
      if (x < band.first || x > band.last) continue;
      rows.add(y).add(rowOf(DATA.branches[i].parent));
    }
    band.rows = [...rows].sort((a, b) => a - b);
    band.top = top;
    top += DOWN * band.rows.length + APART;
  }
  return bands;
}

/** A picture of the branches that are shown. */
function drawBranches(room) {
  const best = bestPath();
  const places = placesOf(best);
  const bands = bandsOf(places, widthsOf(places), room);
  const width = Math.max(...bands.map(({ right }) => right - BETWEEN));
  const height = bands.at(-1).top + DOWN * bands.at(-1).rows.length;
  const svg = drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const bandOf = (x) => bands.find(({ first, last }) => first <= x && x <= last);
  const middle = (band, y) => band.top + (band.rows.indexOf(y) + 0.5) * DOWN;
  const labels = new Map([[null, { x: -1, y: 0, text: DATA.labels.reads[0], share: "" }]]);
  for (const [i, { x, y }] of places) {
    const { piece, share } = labelOf(i);
    labels.set(i, { x, y, text: piece, share });
  }
  const endOf = ({ x, text, share }) => bandOf(x).lefts.get(x)
    + textWidth(`${text} ${share}`.trim()) + (share ? 5 : 0) + 5;
  const bestLast = [...places].sort(([a], [b]) => best.has(a) - best.has(b));
  for (const [i, { x, y }] of bestLast) {
    const { parent, probability, fate } = DATA.branches[i];
    const [band, from] = [bandOf(x), labels.get(parent)];
    const kind = { class: best.has(i) ? "best" : fate };
    const [top, bottom] = [middle(band, from.y), middle(band, y)];
    const left = band.lefts.get(x) - 5;
    const isSame = bandOf(from.x) === band;
    const begin = isSame ? endOf(from) : 0;
    const bend = isSame ? left + 5 - BETWEEN / 2 : left + 5 - LEAD / 2;
    const turn = Math.min(9, bend - begin);
    if (!isSame) {
      const before = bandOf(from.x);
      const across = middle(before, from.y);
      svg.append(drawing("line", { x1: endOf(from), x2: width, y1: across, y2: across, ...kind }));
    }
    svg.append(drawing("path", {
      d: `M${begin},${top}H${bend - turn}C${bend},${top} ${bend - 2},${bottom} ${left},${bottom}`,
      "stroke-width": (1 + 2.5 * Math.sqrt(probability)).toFixed(2), ...kind,
    }));
  }
  for (const [i, { x, y, text, share }] of labels) {
    const band = bandOf(x);
    const label = drawing("text", {
      x: band.lefts.get(x), y: middle(band, y), dy: ".35em",
      class: i === null || best.has(i) ? "best" : DATA.branches[i].fate,
      ...(i !== null && { tabindex: 0 }),
    }, drawing("tspan", {}, text));
    if (i !== null) {
      label.append(drawing("tspan", { class: "share", dx: 5 }, share));
      label.addEventListener("pointerenter", () => sayBranch(i));
      label.addEventListener("focus", () => sayBranch(i));
    }
    svg.append(label);
  }
  return svg;
}

/** The tree, with a switch for dropped pieces. */
function drawTree() {
  const dropped = element("input", { type: "checkbox", id: "dropped", onchange: (event) => {
    state.showsDropped = event.target.checked;
    draw();
  } });
  dropped.checked = state.showsDropped;
  return [
    element("label", { class: "check" }, dropped, "show dropped pieces"),
    element("div", { class: "tree" }, drawBranches(byId("picture").clientWidth)),
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

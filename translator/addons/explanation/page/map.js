// A vocabulary as points: zoom, move, search, and the nearest pieces of a point.

const numbersOf = (text, kind) => new kind(bytesOf(text).buffer);
const PLACES = numbersOf(DATA.places, Float32Array);
const SHARES = numbersOf(DATA.shares, Float32Array);
const NEAREST = numbersOf(DATA.nearest, Int32Array);
const COUNT = DATA.pieces.length;
const NEIGHBOURS = NEAREST.length / COUNT;
const INK = { light: "#26241f", dark: "#e6e2d8" };
const SOURCE = { light: [31, 95, 168], dark: [143, 192, 255] };
const TARGET = { light: [178, 58, 36], dark: [240, 138, 114] };
const MIDDLE = { light: [130, 126, 118], dark: [150, 146, 138] };
const [LEAST, MOST] = [0.8, 400]; // of the zoom

const view = { x: 0, y: 0, zoom: 1 }; // the place in the middle, and how much larger than all
const state = { theme: "" }; // that of the system if empty
let chosen = -1;
let pointed = -1;
let matches = [];
let match = -1;
const canvas = byId("points");
const pen = canvas.getContext("2d");

/** A piece as a reader writes it: a word, or a part with a dash. */
function wordOf(i) {
  const piece = DATA.pieces[i];
  return piece.startsWith("▁") ? piece.slice(1) || piece : `-${piece}`;
}

/** The colour of a point: the side that uses the piece more. */
function colourOf(i) {
  const share = SHARES[i];
  if (Number.isNaN(share)) return MIDDLE[theme()];
  const [end, amount] = share > 0.5 ? [SOURCE, 2 * share - 1] : [TARGET, 1 - 2 * share];
  return MIDDLE[theme()].map((c, k) => Math.round(c + (end[theme()][k] - c) * amount));
}

const scale = () => (Math.min(canvas.clientWidth, canvas.clientHeight) / 2.1) * view.zoom;

/** Where a point is on the canvas, in CSS pixels. */
function onCanvas(i) {
  return [
    canvas.clientWidth / 2 + (PLACES[2 * i] - view.x) * scale(),
    canvas.clientHeight / 2 - (PLACES[2 * i + 1] - view.y) * scale(),
  ];
}

/** The nearest point to a place on the canvas, within 14 pixels; -1 if there is none. */
function pointAt(x, y) {
  let [best, distance] = [-1, 14 * 14];
  for (let i = 0; i < COUNT; i++) {
    const [px, py] = onCanvas(i);
    const d = (px - x) ** 2 + (py - y) ** 2;
    if (d < distance) [best, distance] = [i, d];
  }
  return best;
}

function nearestOf(i) {
  return [...NEAREST.subarray(i * NEIGHBOURS, (i + 1) * NEIGHBOURS)];
}

let isAsked = false;
function draw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    paint();
  });
}

function paint() {
  showTheme();
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = css(PAPER[theme()]);
  pen.fillRect(0, 0, width, height);
  const found = new Set(matches);
  const size = Math.min(4, 1.4 + Math.log2(Math.max(1, view.zoom)) / 2);
  const seen = [];
  for (let i = COUNT - 1; i >= 0; i--) { // the most frequent last, on top
    const [x, y] = onCanvas(i);
    if (x < -50 || y < -20 || x > width + 50 || y > height + 20) continue;
    seen.push([i, x, y]);
    pen.globalAlpha = found.size && !found.has(i) ? 0.25 : 0.85;
    pen.fillStyle = css(colourOf(i));
    pen.beginPath();
    pen.arc(x, y, size, 0, 7);
    pen.fill();
  }
  pen.globalAlpha = 1;
  const around = pointed >= 0 ? pointed : chosen;
  if (around >= 0) drawLinks(around);
  drawLabels(seen.reverse(), found, around);
}

/** Lines to the nearest pieces. */
function drawLinks(i) {
  const [x, y] = onCanvas(i);
  pen.strokeStyle = INK[theme()];
  pen.globalAlpha = 0.5;
  for (const j of nearestOf(i)) {
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(...onCanvas(j));
    pen.stroke();
  }
  pen.globalAlpha = 1;
}

/** Labels where there is room, first of what the reader asked for, then of frequent pieces. */
function drawLabels(seen, found, around) {
  pen.font = "12px system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif";
  pen.textBaseline = "middle";
  const near = around >= 0 ? [around, ...nearestOf(around)] : [];
  const asked = new Set([...near, ...found]);
  const order = [...seen.filter(([i]) => asked.has(i)), ...seen.filter(([i]) => !asked.has(i))];
  const taken = new Set();
  const CELL = 14;
  for (const [i, x, y] of order) {
    const text = wordOf(i);
    const wide = Math.ceil((pen.measureText(text).width + 8) / CELL);
    const [column, row] = [Math.floor((x + 5) / CELL), Math.floor(y / CELL)];
    const cells = [];
    for (let c = column; c <= column + wide; c++) cells.push(`${c},${row}`);
    if (cells.some((cell) => taken.has(cell)) && !near.includes(i)) continue;
    for (const cell of cells) taken.add(cell);
    pen.fillStyle = asked.has(i) || !found.size ? INK[theme()] : css(MIDDLE[theme()]);
    pen.font = `${i === around ? "700 " : ""}12px system-ui, 'Segoe UI', 'Noto Sans',`
      + " 'DejaVu Sans', sans-serif";
    pen.fillText(text, x + 5, y);
  }
}

/** Says what a point is. */
function say(i) {
  if (i < 0) {
    byId("readout").textContent = matches.length
      ? `${matches.length} matches` : byId("search").value ? "no match" : "";
    return;
  }
  const share = SHARES[i];
  const [from, to] = DATA.languages;
  const side = Number.isNaN(share) ? ""
    : `, ${DATA.uses[i].toLocaleString("en")} times, ${Math.round(100 * share)} % of it ${from},`
      + ` ${Math.round(100 - 100 * share)} % ${to}`;
  byId("readout").textContent = `${wordOf(i)}${side}; nearest:`
    + ` ${nearestOf(i).map(wordOf).join(", ")}`;
}

/** Zooms around a place on the canvas. */
function zoomAt(x, y, factor) {
  const zoom = Math.min(MOST, Math.max(LEAST, view.zoom * factor));
  const before = [(x - canvas.clientWidth / 2) / scale(), (y - canvas.clientHeight / 2) / scale()];
  view.zoom = zoom;
  view.x += before[0] - (x - canvas.clientWidth / 2) / scale();
  view.y -= before[1] - (y - canvas.clientHeight / 2) / scale();
  draw();
}

function showAll() {
  Object.assign(view, { x: 0, y: 0, zoom: 1 });
  draw();
}

function goTo(i) {
  Object.assign(view, { x: PLACES[2 * i], y: PLACES[2 * i + 1], zoom: Math.max(view.zoom, 8) });
  chosen = i;
  say(i);
  draw();
}

function search() {
  const text = byId("search").value.trim().toLowerCase();
  const found = text
    ? [...DATA.pieces.keys()].filter((i) => wordOf(i).toLowerCase().includes(text)) : [];
  const isWhole = (i) => wordOf(i).toLowerCase() === text;
  matches = [...found.filter(isWhole), ...found.filter((i) => !isWhole(i))];
  match = -1;
  chosen = -1;
  say(-1);
  draw();
}

const pointers = new Map();
let moved = 0;
canvas.addEventListener("pointerdown", (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  moved = 0;
});
canvas.addEventListener("pointermove", (event) => {
  const before = pointers.get(event.pointerId);
  if (!before) {
    const at = pointAt(event.offsetX, event.offsetY);
    if (at !== pointed) {
      pointed = at;
      say(at >= 0 ? at : chosen);
      draw();
    }
    return;
  }
  const [dx, dy] = [event.offsetX - before[0], event.offsetY - before[1]];
  moved += Math.abs(dx) + Math.abs(dy);
  if (pointers.size === 2) {
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    const apart = (x, y) => Math.hypot(x - other[0], y - other[1]);
    const factor = apart(event.offsetX, event.offsetY) / Math.max(1, apart(...before));
    zoomAt((event.offsetX + other[0]) / 2, (event.offsetY + other[1]) / 2, factor);
  } else {
    view.x -= dx / scale();
    view.y += dy / scale();
    draw();
  }
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
});
for (const name of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(name, (event) => {
    pointers.delete(event.pointerId);
    if (name === "pointerup" && moved < 6) {
      chosen = pointAt(event.offsetX, event.offsetY);
      say(chosen);
      draw();
    }
  });
}
canvas.addEventListener("pointerleave", () => {
  pointed = -1;
  say(chosen);
  draw();
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY / 400));
}, { passive: false });
canvas.addEventListener("keydown", (event) => {
  const [right, up] = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
  }[event.key] ?? [0, 0];
  const [x, y] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
  if (event.key === "+" || event.key === "=") zoomAt(x, y, 1.5);
  else if (event.key === "-") zoomAt(x, y, 1 / 1.5);
  else if (event.key === "0") showAll();
  else if (right || up) {
    view.x += (60 * right) / scale();
    view.y += (60 * up) / scale();
    draw();
  } else return;
  event.preventDefault();
});
byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !matches.length) return;
  match = (match + 1) % matches.length;
  goTo(matches[match]);
});
byId("whole").addEventListener("click", showAll);
watchTheme(draw);
new ResizeObserver(draw).observe(canvas);

const [from, to] = DATA.languages;
byId("model").textContent = `${DATA.model}, ${COUNT.toLocaleString("en")} pieces, ${DATA.method}`;
byId("legend").append(...(Number.isNaN(SHARES[0]) ? [] : [[SOURCE, `more ${from}`],
  [MIDDLE, "both"], [TARGET, `more ${to}`]].map(([colour, text]) => {
  const dot = element("i");
  dot.style.background = `light-dark(${css(colour.light)}, ${css(colour.dark)})`;
  return element("span", {}, dot, text);
})));
draw();

// Shows heads at each frame of a training, with loss, entropy and alignment error.

const WATCH = {
  cross: "What to watch: at first all rows are alike, whatever is written. Then some heads"
    + " find, row by row, the words that are translated.",
  encoder: "What to watch: at first all rows are alike. Then heads find a place of their own: the"
    + " word itself, the one before or after it, the marks.",
  decoder: "What to watch: at first each word looks at all before it. Then heads find the word"
    + " before, the word itself, the start.",
};
const FRAME_MILLISECONDS = 180;
const state = {
  sentence: 0,
  kind: "cross",
  layer: 0,
  head: 0,
  frame: 0,
  theme: "", // that of the system if empty
};
const unpacked = new Map();
let playing = 0;

const ofKind = () => DATA.sentences[state.sentence].kinds[state.kind];

/** The scores of one head in one frame, (queries, keys), as integers of 255 sqrt(score). */
function rootsOf(layer, head, frame) {
  const { scores, layers, heads, queries, keys } = ofKind();
  if (!unpacked.has(scores)) {
    unpacked.set(scores, bytesOf(scores));
  }
  const size = queries.length * keys.length;
  const start = ((frame * layers + layer) * heads + head) * size;
  return unpacked.get(scores).subarray(start, start + size);
}

/** How full the colour of a cell is. */
const fillOf = (root) => (root / 255) ** 1.4;

function paint(canvas, layer, head) {
  const { queries, keys } = ofKind();
  const roots = rootsOf(layer, head, state.frame);
  Object.assign(canvas, { width: keys.length, height: queries.length });
  const image = new ImageData(keys.length, queries.length);
  image.data.set(overprint([Float32Array.from(roots, fillOf)], [hueOf(head)]));
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** The grid of heads, made anew where the kind or the sentence changes. */
function buildHeads() {
  const { layers, heads } = ofKind();
  const grid = byId("heads");
  grid.style.setProperty("--heads", heads);
  const cells = [element("span")];
  for (let head = 0; head < heads; head++) cells.push(element("span", {}, String(head + 1)));
  for (let layer = 0; layer < layers; layer++) {
    cells.push(element("span", {}, String(layer + 1)));
    for (let head = 0; head < heads; head++) {
      const button = element("button", {
        type: "button", role: "radio", "aria-label": `layer ${layer + 1}, head ${head + 1}`,
        "data-head": `${layer}.${head}`,
      }, element("canvas"));
      button.addEventListener("click", () => {
        Object.assign(state, { layer, head });
        draw();
      });
      cells.push(button);
    }
  }
  grid.replaceChildren(...cells);
}

function drawHeads() {
  for (const button of byId("heads").querySelectorAll("button")) {
    const [layer, head] = button.dataset.head.split(".").map(Number);
    button.setAttribute("aria-checked", layer === state.layer && head === state.head);
    paint(button.firstChild, layer, head);
  }
}

function drawMap() {
  const { queries, keys } = ofKind();
  const roots = rootsOf(state.layer, state.head, state.frame);
  const hue = hueOf(state.head);
  const top = element("tr", {}, element("td"));
  top.append(...keys.map((key) => element("th", { scope: "col" }, key)));
  const rows = queries.map((query, i) => {
    const row = element("tr", {}, element("th", { scope: "row" }, query));
    keys.forEach((key, j) => {
      const root = roots[i * keys.length + j];
      const cell = element("td", { title: `${query} → ${key}: ${Math.round(root * root / 650.25)} %` });
      cell.style.background = css(overprint([[fillOf(root)]], [hue]));
      row.append(cell);
    });
    return row;
  });
  byId("map").replaceChildren(element("table", {}, element("thead", {}, top),
    element("tbody", {}, ...rows)));
  byId("map").querySelector("td").className = "corner";
}

/** A curve over the frames, with the present one marked. */
function curve(title, values, digits) {
  const [width, height] = [600, 92];
  const most = Math.max(...values, 1e-9);
  const last = DATA.updates.at(-1) || 1;
  const x = (i) => 34 + (width - 40) * Math.sqrt(DATA.updates[i] / last);
  const y = (value) => 8 + (height - 26) * (1 - value / most);
  const points = values.map((value, i) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join("L");
  const now = x(state.frame);
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" },
    drawing("line", { class: "axis", x1: 34, x2: width, y1: y(0), y2: y(0) }),
    drawing("path", { class: "line", d: `M${points}` }),
    drawing("line", { class: "now", x1: now, x2: now, y1: 4, y2: y(0) }),
    drawing("circle", { cx: now, cy: y(values[state.frame]), r: 3.5, fill: "var(--mark)" }));
  const figure = element("figure", {}, element("figcaption", {},
    `${title}: ${values[state.frame].toFixed(digits)} (0 to ${most.toFixed(digits)})`));
  figure.append(svg);
  return figure;
}

function drawCurves() {
  const { losses, errors } = DATA.sentences[state.sentence];
  const { entropies } = ofKind();
  const of = (frames) => frames.map((frame) => frame[state.layer][state.head]);
  const figures = [
    curve("loss of a target token, nats", losses, 2),
    curve("entropy of this head, bits", of(entropies), 2),
  ];
  if (errors && state.kind === "cross") {
    figures.push(curve("alignment error rate of this head", of(errors), 2));
  }
  byId("curves").replaceChildren(...figures);
}

function draw() {
  showTheme();
  const { layers, heads } = ofKind();
  state.layer = Math.min(state.layer, layers - 1);
  state.head = Math.min(state.head, heads - 1);
  byId("slider").value = state.frame;
  byId("update").textContent = `update ${DATA.updates[state.frame].toLocaleString("en")} of`
    + ` ${DATA.updates.at(-1).toLocaleString("en")}`;
  byId("head").textContent = `layer ${state.layer + 1}, head ${state.head + 1}`;
  drawHeads();
  drawMap();
  drawCurves();
}

function choose() {
  state.sentence = Number(byId("sentence").value);
  state.kind = byId("kind").value;
  const { source, target } = DATA.sentences[state.sentence];
  byId("text").textContent = `${source} → ${target}`;
  byId("watch").textContent = WATCH[state.kind];
  buildHeads();
  draw();
}

function play() {
  if (playing) {
    clearInterval(playing);
    playing = 0;
  } else {
    if (state.frame === DATA.updates.length - 1) state.frame = 0;
    playing = setInterval(() => {
      if (state.frame === DATA.updates.length - 1) play();
      else state.frame += 1;
      draw();
    }, FRAME_MILLISECONDS);
  }
  byId("play").textContent = playing ? "Pause" : "Play";
}

byId("model").textContent = `${DATA.name}, ${DATA.updates.length} frames`;
byId("sentence").append(...DATA.sentences.map(({ source }, i) =>
  element("option", { value: i }, `${i + 1}. ${source}`)));
byId("kind").append(...Object.entries(DATA.kinds).map(([kind, name]) =>
  element("option", { value: kind }, name)));
byId("kind").value = state.kind;
byId("slider").max = DATA.updates.length - 1;
byId("slider").addEventListener("input", (event) => {
  state.frame = Number(event.target.value);
  draw();
});
byId("sentence").addEventListener("change", choose);
byId("kind").addEventListener("change", choose);
byId("play").addEventListener("click", play);
watchTheme(draw);
state.layer = Math.max(0, ofKind().layers - 2);
choose();

// The large map with its labels, and its numbers as a table.

const FAMILIES = "system-ui, 'Segoe UI', 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif";
const FONT = `12px ${FAMILIES}`;
const pen = document.createElement("canvas").getContext("2d");

/** The width of the widest text, at most `most`. */
function widest(texts, most) {
  pen.font = FONT;
  const widths = texts.map((text) => pen.measureText(text).width);
  return Math.min(most, Math.ceil(Math.max(0, ...widths)));
}

/** A text cut to fit a width, with an ellipsis. */
function fitted(text, width) {
  pen.font = FONT;
  if (pen.measureText(text).width <= width + 1) return text;
  const characters = [...text];
  const isTooWide = () => pen.measureText(`${characters.join("")}…`).width > width;
  while (characters.length && isTooWide()) characters.pop();
  return `${characters.join("")}…`;
}

/** The sizes of a map: of its labels, of a cell, and of the whole. */
function mapMeasures({ queries, keys }, available) {
  const left = widest(queries, 130) + 10;
  const top = widest(keys, 130) + 10;
  const cell = Math.floor(Math.min(34, Math.max(13, (available - left - 2) / keys.length)));
  const [width, height] = [left + cell * keys.length + 2, top + cell * queries.length + 2];
  return { left, top, cell, width, height };
}

/** The colour of each cell: the heads in their colours, or their mean in one colour. */
function mapPixels(panel) {
  if (state.mixing === "mean") return overprint([panel.mean], [commonColour(panel.heads)]);
  return overprint(panel.selected, panel.heads.map(([, head]) => hueOf(head)));
}

/** Draws a map into a group: cells, grid and labels. */
function mapDrawing(panel, { left, top, cell }) {
  const { queries, keys } = panel.view;
  const pixels = mapPixels(panel);
  const paper = css(PAPER[theme()]);
  const [width, height] = [cell * keys.length, cell * queries.length];
  const cells = drawing("g", {
    transform: `translate(${left} ${top})`, "shape-rendering": "crispEdges",
  });
  let rects = `<rect width="${width}" height="${height}" fill="${paper}"/>`;
  for (let i = 0; i < panel.mean.length; i++) {
    const colour = css(pixels.subarray(4 * i, 4 * i + 3));
    if (colour === paper) continue;
    const [x, y] = [i % keys.length, Math.floor(i / keys.length)];
    rects += `<rect x="${x * cell}" y="${y * cell}" width="${cell}" height="${cell}"`
      + ` fill="${colour}"/>`;
  }
  let rules = "";
  for (let x = 0; x <= keys.length; x++) rules += `M${x * cell},0V${height}`;
  for (let y = 0; y <= queries.length; y++) rules += `M0,${y * cell}H${width}`;
  const ink = css(INK[theme()]);
  cells.innerHTML = `${rects}<path d="${rules}" fill="none" stroke="${ink}" stroke-opacity=".1"/>`;
  const rows = queries.map((label, i) => drawing("text", {
    fill: ink, x: left - 6, y: top + (i + 0.5) * cell, dy: ".35em", "text-anchor": "end",
    "data-row": i,
  }, clean(fitted(label, left - 10))));
  const columns = keys.map((label, i) => drawing("text", {
    fill: ink, transform: `translate(${left + (i + 0.5) * cell} ${top - 6}) rotate(-90)`,
    dy: ".35em", "data-column": i,
  }, clean(fitted(label, top - 10))));
  return drawing("g", { class: "map-body" }, cells, ...rows, ...columns);
}

/** Draws the map of a panel as wide as there is space. */
function drawMap(panel) {
  const svg = panel.root.querySelector(".map svg");
  panel.measures = mapMeasures(panel.view, svg.parentElement.clientWidth);
  const { width, height } = panel.measures;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("aria-label", `Heat map: ${panel.view.queries.length} rows of tokens that look, `
    + `${panel.view.keys.length} columns of tokens that are looked at. `
    + "The numbers are in the table.");
  svg.replaceChildren(mapDrawing(panel, panel.measures));
  if (panel.root.querySelector("details").open) drawTable(panel);
}

/** Frames the row or column of a token. */
function frameMap(panel, token) {
  const { left, top, cell } = panel.measures;
  const { queries, keys } = panel.view;
  const [row, column] = panel.root.querySelectorAll(".frame");
  const frame = (box, shown, x, y, width, height) => {
    box.hidden = !shown;
    if (!shown) return;
    box.style.transform = `translate(${x}px, ${y}px)`;
    box.style.width = `${width + 1}px`;
    box.style.height = `${height + 1}px`;
  };
  const query = token?.side === "query" ? token.index : token?.opposite;
  const key = token?.side === "key" ? token.index : token?.opposite;
  frame(row, query !== undefined, left, top + query * cell, cell * keys.length, cell);
  frame(column, key !== undefined, left + key * cell, top, cell, cell * queries.length);
}

/** The cell of a map under the pointer, as the token of its row; null outside the map. */
function cellAt(panel, event) {
  const box = panel.root.querySelector(".map svg").getBoundingClientRect();
  const { left, top, cell } = panel.measures;
  const column = Math.floor((event.clientX - box.left - left) / cell);
  const row = Math.floor((event.clientY - box.top - top) / cell);
  const { queries, keys } = panel.view;
  const inRows = row >= 0 && row < queries.length;
  const inColumns = column >= 0 && column < keys.length;
  if (inRows && inColumns) return { side: "query", index: row, opposite: column };
  if (inRows && column < 0) return { side: "query", index: row };
  return inColumns && row < 0 ? { side: "key", index: column } : null;
}

/** Fills the table with the numbers of a map. */
function drawTable(panel) {
  const { queries, keys } = panel.view;
  const header = (scope, text) => element("th", { scope, dir: "auto" }, text);
  const rows = queries.map((text, i) => {
    const weights = weightsOf(panel.mean, keys.length, "query", i);
    return element("tr", {}, header("row", text),
      ...Array.from(weights, (weight) => element("td", {}, weight.toFixed(4))));
  });
  panel.root.querySelector("table").replaceChildren(
    element("caption", {}, `${DATA.kinds[state.kind]}, ${selectionText()}${meanText()}`),
    element("thead", {},
      element("tr", {}, element("td"), ...keys.map((text) => header("col", text)))),
    element("tbody", {}, ...rows));
}

const meanText = () => (state.heads.length > 1 ? `, mean of ${state.heads.length} heads` : "");

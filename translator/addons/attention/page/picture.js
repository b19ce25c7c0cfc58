// The current view as an SVG document and as a PNG image.

const MARGIN = 24;
const COLUMN = 150; // of tokens
const BETWEEN = 220; // for lines
const LARGEST = 12000; // pixels on a side of a PNG image

/** A text without the characters that XML forbids. */
function clean(text) {
  const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
  return text.toWellFormed().replace(forbidden, "\ufffd");
}

function writing(text, x, y, attributes = {}) {
  return drawing("text", { x, y, fill: css(INK[theme()]), ...attributes }, clean(text));
}

/** The tokens and lines of a panel, and their size. */
function linesPicture(panel) {
  const { queries, keys } = panel.view;
  const copy = { ...panel, width: BETWEEN };
  const token = panel.token;
  const places = token ? [[token.side, token.index]] : queries.map((_, i) => ["query", i]);
  const lines = drawing("g", { fill: "none", transform: `translate(${COLUMN} 0)` });
  lines.innerHTML = places.map(([side, i]) => linesOf(copy, side, i)).join("");
  const column = (texts, side, x, anchor) => texts.map((text, i) =>
    writing(fitted(text, COLUMN - 12), x, (i + 0.5) * panel.row, {
      dy: ".35em", "text-anchor": anchor,
      ...(token?.side === side && token.index === i && { "font-weight": 700 }),
    }));
  const group = drawing("g", {}, lines, ...column(queries, "query", COLUMN - 8, "end"),
    ...column(keys, "key", COLUMN + BETWEEN + 8, "start"));
  return { group, width: 2 * COLUMN + BETWEEN, height: panel.height };
}

/** One hypothesis: a heading, the lines, the map. */
function panelPicture(panel) {
  const lines = linesPicture(panel);
  const measures = mapMeasures(panel.view, 560);
  const map = mapDrawing(panel, measures);
  const top = 34;
  lines.group.setAttribute("transform", `translate(0 ${top})`);
  map.setAttribute("transform", `translate(${lines.width + MARGIN} ${top})`);
  const width = lines.width + MARGIN + measures.width;
  const heading = writing(fitted(panel.heading, width), 0, 14, { "font-weight": 600 });
  return {
    group: drawing("g", {}, heading, lines.group, map),
    width,
    height: top + Math.max(lines.height, measures.height),
  };
}

/** The current view as an SVG document. */
function picture() {
  const parts = panels.map(panelPicture);
  const width = Math.max(...parts.map((part) => part.width)) + 2 * MARGIN;
  const titles = [
    currentSentence().text,
    `${DATA.kinds[state.kind]}, ${selectionText()}`,
    byId("difference").textContent,
    ...readoutText().split("\n"),
  ];
  const texts = titles.filter(Boolean).map((text, i) =>
    writing(fitted(text, width - 2 * MARGIN), MARGIN, MARGIN + 12 + 20 * i));
  let y = MARGIN + 20 * texts.length + 16;
  for (const part of parts) {
    part.group.setAttribute("transform", `translate(${MARGIN} ${y})`);
    y += part.height + MARGIN;
  }
  const root = drawing("svg", {
    width, height: y, viewBox: `0 0 ${width} ${y}`, "font-size": 12, "font-family": FAMILIES,
  }, drawing("rect", { width, height: y, fill: css(PAPER[theme()]) }), ...texts,
  ...parts.map((part) => part.group));
  return { text: new XMLSerializer().serializeToString(root), width, height: y };
}

function fileName(ending) {
  const heads = state.heads.length > 4 ? `${state.heads.length}-heads`
    : state.heads.map(([layer, head]) => `${layer + 1}.${head + 1}`).join("-");
  return `attention-${state.kind}-${heads}.${ending}`;
}

function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function saveSvg() {
  download(new Blob([picture().text], { type: "image/svg+xml" }), fileName("svg"));
}

async function savePng() {
  const { text, width, height } = picture();
  const scale = Math.min(2, LARGEST / Math.max(width, height));
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = element("canvas", {
    width: Math.round(scale * width), height: Math.round(scale * height),
  });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const [, base64] = canvas.toDataURL("image/png").split(","); // toBlob may never answer
  download(new Blob([bytesOf(base64)], { type: "image/png" }), fileName("png"));
}

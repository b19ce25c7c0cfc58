// The grid of heads: layers are rows, heads are columns, each cell has a small map.

const grid = document.getElementById("heads");
const verdicts = document.getElementById("verdicts");

/** Makes the grid for a number of layers and heads, unless it has that shape already. */
function buildHeads(layers, heads) {
  const shape = `${layers} ${heads}`;
  if (grid.dataset.shape === shape) return;
  grid.dataset.shape = shape;
  grid.style.setProperty("--heads", heads);
  const numbers = (count) => [...Array(count).keys()];
  const all = numbers(layers).flatMap((layer) => numbers(heads).map((head) => [layer, head]));
  const row = (...cells) => element("div", { role: "row" }, ...cells);
  const top = numbers(heads).map((head) =>
    headCell(
      "columnheader", `head ${head + 1} of every layer`, all.filter(([, h]) => h === head),
      head + 1,
    ));
  const rows = numbers(layers).map((layer) => {
    const ofLayer = all.filter(([l]) => l === layer);
    const name = headCell("rowheader", `every head of layer ${layer + 1}`, ofLayer, layer + 1);
    return row(name, ...ofLayer.map((pair) => headCell("gridcell", headName(pair), [pair])));
  });
  const corner = element("div", {
    role: "columnheader", class: "corner", "aria-label": "layers and heads",
  });
  grid.replaceChildren(row(corner, ...top), ...rows);
}

const headName = ([layer, head]) => `layer ${layer + 1} head ${head + 1}`;

/** A cell that selects heads, with a small map, or with the number of its row or column. */
function headCell(role, name, heads, number) {
  const cell = element("div", { role, tabindex: -1, "aria-label": name, title: name });
  cell.heads = heads;
  if (role === "gridcell") {
    cell.append(element("canvas", {}));
    cell.dataset.head = heads[0].map((n) => n + 1).join(".");
  } else {
    cell.append(String(number));
  }
  return cell;
}

/** Draws every head of the first hypothesis and marks the selected ones. */
function drawHeads(view) {
  for (const cell of grid.querySelectorAll("[role=gridcell]")) {
    const [[layer, head]] = cell.heads;
    const hue = hueOf(head);
    const map = oneMap(view, layer * currentSentence().heads[state.kind] + head);
    paint(cell.firstChild, overprint([map], [hue]), view.keys.length, view.queries.length);
    cell.style.setProperty("--hue", css(hue));
    cell.setAttribute("aria-selected", isSelected(layer, head));
  }
  for (const cell of grid.querySelectorAll("[role=columnheader]:not(.corner)")) {
    cell.style.color = css(hueOf(cell.heads[0][1]));
  }
  if (!grid.querySelector("[tabindex='0']")) {
    grid.querySelector("[aria-selected=true]").tabIndex = 0;
  }
  document.getElementById("selection").textContent = selectionText();
  drawVerdicts();
}

/** Says in words what each head does on this sentence, and lists the heads that do the same. */
function drawVerdicts() {
  const groups = new Map();
  for (const cell of grid.querySelectorAll("[role=gridcell]")) {
    const [pair] = cell.heads;
    const verdict = verdictOf(pair);
    cell.title = `${headName(pair)}: ${verdict}`;
    cell.setAttribute("aria-description", verdict);
    groups.set(verdict, [...(groups.get(verdict) ?? []), pair]);
  }
  const best = aligningHead() && verdictOf(aligningHead());
  const sorted = [...groups].sort(([first, firstHeads], [second, secondHeads]) => (
    (second === best) - (first === best) || firstHeads.length - secondHeads.length));
  verdicts.replaceChildren(...sorted.map(([verdict, pairs]) => element("li", {}, `${verdict} `,
    ...pairs.map(([layer, head]) => {
      const button = element("button", {
        type: "button", tabindex: -1, "aria-label": headName([layer, head]),
        "aria-current": isSelected(layer, head),
      }, `${layer + 1}.${head + 1}`);
      button.heads = [[layer, head]];
      button.style.setProperty("--hue", css(hueOf(head)));
      return button;
    }))));
}

/** The selected heads in words. */
function selectionText() {
  const { layers: { [state.kind]: layers }, heads: { [state.kind]: heads } } = currentSentence();
  const selected = state.heads;
  const [layer, head] = selected[0];
  if (selected.length === 1) return `layer ${layer + 1} of ${layers}, head ${head + 1} of ${heads}`;
  if (selected.length === heads && selected.every(([l]) => l === layer)) {
    return `all ${heads} heads of layer ${layer + 1}`;
  }
  if (selected.length === layers && selected.every(([, h]) => h === head)) {
    return `head ${head + 1} of all ${layers} layers`;
  }
  return `${selected.length} heads: ${selected.map(([l, h]) => `${l + 1}.${h + 1}`).join(", ")}`;
}

/** Puts pixels into a canvas of their size. */
function paint(canvas, pixels, width, height) {
  canvas.width = width;
  canvas.height = height;
  if (width && height) canvas.getContext("2d").putImageData(new ImageData(pixels, width), 0, 0);
}

function listenToHeads(changed) {
  const choose = (cell, event) => {
    if (!cell?.heads) return;
    select(cell.heads, event);
    moveTo(cell);
    changed();
  };
  const select = (heads, event) => {
    const several = document.getElementById("several").checked;
    selectHeads([...heads], several || event.shiftKey || event.ctrlKey || event.metaKey);
  };
  const moveTo = (cell) => {
    grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    cell.tabIndex = 0;
    cell.focus();
  };
  verdicts.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const place = [...verdicts.querySelectorAll("button")].indexOf(button);
    select(button.heads, event);
    const [pair] = button.heads;
    const cell = grid.querySelector(`[data-head="${pair.map((n) => n + 1).join(".")}"]`);
    grid.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
    cell.tabIndex = 0;
    changed();
    verdicts.querySelectorAll("button")[place]?.focus();
  });
  grid.addEventListener("click", (event) => choose(event.target.closest("[tabindex]"), event));
  grid.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[tabindex]");
    if (event.key === "Enter" || event.key === " ") choose(cell, event);
    else {
      const next = neighbour(cell, event.key);
      if (!next) return;
      moveTo(next);
    }
    event.preventDefault();
  });
}

/** The cell that an arrow key moves to. */
function neighbour(cell, key) {
  const rows = [...grid.children].map((row) => [...row.children]);
  const y = rows.findIndex((row) => row.includes(cell));
  const x = rows[y].indexOf(cell);
  const places = {
    ArrowUp: [y - 1, x],
    ArrowDown: [y + 1, x],
    ArrowLeft: [y, x - 1],
    ArrowRight: [y, x + 1],
    Home: [y, 0],
    End: [y, rows[y].length - 1],
  };
  const [row, column] = places[key] ?? [-1, -1];
  const next = rows[row]?.[column];
  return next?.heads && next;
}

// The two columns of tokens and the lines between them.

/** The height of a row of tokens: enough for a thumb on a touch screen. */
function rowHeight(count) {
  if (matchMedia("(pointer: coarse)").matches) return 40;
  return count > 40 ? 22 : 30;
}

/**
 * Fills the columns of a panel with tokens, and the space between them with all lines.
 *
 * A panel is {root, view, heads, selected, mean, difference, ...}: see `makePanel`.
 */
function drawLines(panel) {
  const { queries, keys } = panel.view;
  panel.row = rowHeight(Math.max(queries.length, keys.length));
  const lines = panel.root.querySelector(".lines");
  lines.style.setProperty("--row", `${panel.row}px`);
  panel.buttons = {
    query: fillColumn(panel, "query", queries, panel.difference),
    key: fillColumn(panel, "key", keys, state.kind === "decoder" ? panel.difference : -1),
  };
  const between = panel.root.querySelector(".between");
  panel.width = between.clientWidth;
  panel.height = panel.row * Math.max(queries.length, keys.length);
  for (const svg of between.children) {
    svg.setAttribute("viewBox", `0 0 ${panel.width} ${panel.height}`);
    svg.setAttribute("height", panel.height);
  }
  panel.groups = new Map();
  panel.shown = panel.marked = panel.tinted = panel.pressed = null;
  const [all, chosen] = between.children;
  all.innerHTML = queries.map((_, i) => `<g>${linesOf(panel, "query", i)}</g>`).join("");
  chosen.replaceChildren();
  prepareLines(panel);
}

function fillColumn(panel, side, texts, difference) {
  const column = panel.root.querySelector(`.tokens.${side}`);
  const former = [...column.children].findIndex((button) => button.tabIndex === 0);
  column.replaceChildren(...texts.map((text, i) => {
    const button = element("button", {
      type: "button", class: "token", tabindex: -1, "aria-pressed": false, dir: "auto",
      "data-side": side, "data-index": i,
    }, element("bdi", {}, text));
    if (isEnd(texts, i)) button.title = i ? "the end of the sentence" : "the start of the sentence";
    if (i === difference) {
      button.classList.add("difference");
      button.setAttribute("aria-description", "here the two translations differ");
    }
    return button;
  }));
  const first = column.children[Math.max(0, Math.min(former, texts.length - 1))];
  if (first) first.tabIndex = 0;
  return [...column.children];
}

/** The lines from a query to the keys that it looks at, or to a key from its queries. */
function linesOf(panel, side, index) {
  const width = panel.view.keys.length;
  let paths = "";
  panel.selected.forEach((map, m) => {
    const [layer, head] = panel.heads[m];
    const colour = css(hueOf(head));
    const weights = weightsOf(map, width, side, index);
    for (let opposite = 0; opposite < weights.length; opposite++) {
      const weight = weights[opposite];
      if (weight < state.threshold || weight < 0.0005) continue;
      const [query, key] = side === "query" ? [index, opposite] : [opposite, index];
      paths += `<path d="${curve(panel, query, key, m)}" stroke="${colour}"`
        + ` stroke-opacity="${Math.min(1, weight).toFixed(4)}"`
        + ` stroke-width="${(1.2 + 2.4 * weight).toFixed(1)}"`
        + ` data-head="${layer + 1}.${head + 1}" data-query="${query}" data-key="${key}"/>`;
    }
  });
  return paths;
}

/** A line from the height of a query to that of a key; lines of several heads are parallel. */
function curve({ row, width, selected }, query, key, m) {
  const spread = Math.min(2.5, (row - 8) / selected.length);
  const beside = (m - (selected.length - 1) / 2) * spread;
  const [from, to] = [query, key].map((place) => ((place + 0.5) * row + beside).toFixed(1));
  const middle = Math.round(width / 2);
  return `M0,${from}C${middle},${from} ${middle},${to} ${width},${to}`;
}

/** Shows the lines of one token, or of all tokens if it is null. */
function showLines(panel, token) {
  panel.root.querySelector("svg.all").classList.toggle("away", token !== null);
  panel.shown?.setAttribute("display", "none");
  panel.shown = null;
  if (token === null) return;
  panel.shown = groupOf(panel, token.side, token.index);
  panel.shown.removeAttribute("display");
}

/** The lines of a token, hidden; made once. */
function groupOf(panel, side, index) {
  const name = `${side} ${index}`;
  if (!panel.groups.has(name)) {
    const group = drawing("g", { "data-token": name, display: "none" });
    group.innerHTML = linesOf(panel, side, index);
    panel.root.querySelector("svg.chosen").append(group);
    panel.groups.set(name, group);
  }
  return panel.groups.get(name);
}

/** Makes the lines of every token while the page is idle, unless there are too many. */
function prepareLines(panel) {
  const { groups, buttons } = panel;
  if (panel.root.querySelectorAll("svg.all path").length > 10000) return;
  const waiting = Object.entries(buttons).flatMap(([side, list]) => list.map((_, i) => [side, i]));
  const go = (deadline) => {
    while (waiting.length && deadline.timeRemaining() > 4) groupOf(panel, ...waiting.shift());
    const isCurrent = panel.groups === groups && panel.root.isConnected;
    if (waiting.length && isCurrent) requestIdleCallback(go);
  };
  globalThis.requestIdleCallback?.((deadline) => panel.groups === groups && go(deadline));
}

/** Tints the tokens of the other side by the mean weights of the selected heads. */
function tintTokens(panel, token) {
  for (const button of panel.tinted ?? []) button.style.backgroundColor = "";
  panel.marked?.classList.remove("chosen");
  panel.tinted = [];
  if (token === null) return;
  panel.marked = panel.buttons[token.side][token.index];
  panel.marked?.classList.add("chosen");
  const weights = weightsOf(panel.mean, panel.view.keys.length, token.side, token.index);
  const colour = commonColour(panel.heads).join(" ");
  const opposites = panel.buttons[token.side === "query" ? "key" : "query"];
  weights.forEach((weight, i) => {
    if (weight < 0.02) return;
    opposites[i].style.backgroundColor = `rgb(${colour} / ${(0.55 * weight).toFixed(3)})`;
    panel.tinted.push(opposites[i]);
  });
}

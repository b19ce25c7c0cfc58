// The page as a whole: draws the chosen step for the chosen positions.

/** A row of pieces to choose from. */
function drawChoice(id, labels, chosen, take) {
  byId(id).replaceChildren(...labels.map((label, i) => element("button", {
    type: "button", class: "name", "aria-pressed": i === chosen,
    onclick: () => { take(i); draw(); },
  }, label)));
}

function drawSteps() {
  const numbered = STEPS.map((step, i) => ({ ...step, i }));
  const button = ({ name, i }) => element("li", {}, element("button", {
    type: "button", ...(i === state.step && { "aria-current": "step" }),
    onclick: () => { state.step = i; draw(); },
  }, element("span", {}, i ? String(i) : ""), name));
  const [whole, ...rest] = numbered;
  byId("steps").replaceChildren(button(whole), ...DATA.groups.map((group) => {
    const steps = rest.filter((step) => step.group === group);
    return steps.length ? element("li", {}, element("h3", {}, group),
      element("ol", {}, ...steps.map(button))) : "";
  }));
  Object.assign(byId("slider"), { max: STEPS.length - 1, value: state.step });
  byId("back").disabled = state.step === 0;
  byId("forward").disabled = state.step === STEPS.length - 1;
}

/** Draws a step, its legend, and what is below. */
function drawPicture(step) {
  byId("pair").replaceChildren();
  byId("legend").replaceChildren();
  if (step.name === WHOLE) {
    const parts = element("details", {}, element("summary", {}, "All parts, with their shapes"),
      element("pre", { tabindex: 0 }, DATA.parts));
    const halves = DATA.diagram.map((text) => (
      new DOMParser().parseFromString(text, "image/svg+xml").documentElement));
    byId("picture").replaceChildren(element("div", { class: "drawing" }, ...halves), parts);
    byId("readout").textContent = "";
  } else if (step.name === LAST.nextToken || step.name === LAST.without) {
    const following = step.name === LAST.without ? DATA.without : DATA.following;
    byId("picture").replaceChildren(drawNextTokens(following));
    sayNextToken(following);
  } else if (step.name === LAST.search) {
    byId("picture").replaceChildren(...drawTree());
    byId("readout").textContent = "Point at a piece to see its probability.";
  } else {
    byId("picture").replaceChildren(drawGrid(step));
    byId("legend").replaceChildren(...drawLegend(step));
    if (PAIR_STEPS.includes(step.name)) byId("pair").replaceChildren(...drawPair());
    sayRow(step);
  }
}

/** Draws everything again; the focus stays at its place. */
function draw() {
  const { activeElement } = document;
  const host = activeElement.closest("#rows, #keys, #steps, #picture");
  const parts = () => [...host.querySelectorAll("button, canvas")];
  const place = host ? parts().indexOf(activeElement) : -1;
  drawAll();
  if (place !== -1) parts()[place]?.focus({ preventScroll: true });
}

function drawAll() {
  writeAddress();
  showTheme();
  const step = STEPS[state.step];
  const { rows, columns } = stepCalled("weights");
  drawChoice("rows", DATA.kind === "cross" ? DATA.labels.writes : rows, state.row, (i) => {
    state.row = i;
    state.key = strongestKey(i);
  });
  drawChoice("keys", columns, state.key, (i) => { state.key = i; });
  drawSteps();
  byId("group").textContent = step.group ?? "";
  byId("name").textContent = state.step ? `${state.step}. ${step.name}` : step.name;
  byId("formula").textContent = step.formula;
  byId("shape").textContent = step.numbers ? `${step.numbers.length / step.width} × ${step.width}`
    : "";
  byId("words").textContent = step.text;
  drawPicture(step);
}

const { name, source_language: from, target_language: to } = DATA.model;
byId("model").textContent = [
  name, `${from} → ${to}`, `layer ${DATA.layer}`, `head ${DATA.head}`, DATA.kindName,
].join(", ");
byId("source").textContent = DATA.source;
byId("source").lang = from;
byId("target").textContent = DATA.target;
byId("target").lang = to;
byId("rows-title").textContent = DATA.kind === "cross" ? "Piece that is written"
  : "Position that looks";
const move = (by) => {
  state.step = Math.max(0, Math.min(STEPS.length - 1, state.step + by));
  draw();
};
byId("slider").addEventListener("input", (event) => {
  state.step = Number(event.target.value);
  draw();
});
byId("back").addEventListener("click", () => move(-1));
byId("forward").addEventListener("click", () => move(1));
watchTheme(draw);
let wide = innerWidth;
addEventListener("resize", () => {
  if (wide !== innerWidth) draw(); // a phone that hides its address bar changes the height
  wide = innerWidth;
});
addEventListener("hashchange", () => { readAddress(); draw(); });
readAddress();
draw();

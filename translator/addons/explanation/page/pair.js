// One product of a query and a key, cell by cell.

const DATA_KEYS = stepCalled("weights").columns;
const PAIR_STEPS = ["products", "scaled", "weights"];

/** The query, the key, and their product, number by number, with the sum. */
function drawPair() {
  const [queries, keys] = [stepCalled("queries"), stepCalled("keys")];
  const { width } = queries;
  const query = queries.numbers.subarray(state.row * width, (state.row + 1) * width);
  const key = keys.numbers.subarray(state.key * width, (state.key + 1) * width);
  const product = query.map((number, i) => number * key[i]);
  const queryLabel = queries.rows[state.row];
  const keyLabel = keys.rows[state.key];
  const at = (name) => valueAt(stepCalled(name), state.row, state.key);
  const readout = element("p", { class: "said", role: "status" },
    "Point at a cell to see its number.");
  const strip = (name, numbers) => {
    const canvas = element("canvas", { role: "img", "aria-label": name });
    paint(canvas, numbers, width, "signed", Math.max(...numbers.map(Math.abs)) || 1);
    canvas.addEventListener("pointermove", (event) => {
      const box = canvas.getBoundingClientRect();
      const i = Math.max(0, Math.min(width - 1,
        Math.floor(((event.clientX - box.left) / box.width) * width)));
      readout.textContent = `number ${i + 1}: ${written(query[i])} × ${written(key[i])}`
        + ` = ${written(product[i])}`;
    });
    return [element("span", {}, name), canvas];
  };
  return [
    element("h3", {}, `${queryLabel} and ${keyLabel}, cell by cell`),
    element("div", { class: "strips" },
      ...strip(`query of ${queryLabel}`, query),
      ...strip(`key of ${keyLabel}`, key),
      ...strip("query times key", product)),
    readout,
    element("p", {}, `The sum is ${written(at("products"))}, divided by √${width}`
      + ` ${written(at("scaled"))}, and after the softmax ${percent(at("weights"))} of the row.`),
  ];
}

// The possible next tokens at each position of the translation.

/** A table: a line for each position, with the most probable pieces as bars. */
function drawNextTokens(following) {
  const { reads, writes } = DATA.labels;
  const areRows = DATA.kind !== "encoder"; // of which one is chosen
  const lines = following.map(({ tokens, probabilities }, row) => {
    const cells = tokens.map((token, i) => {
      const share = probabilities[i];
      const cell = element("span", {
        class: token === writes[row] ? "token written" : "token", title: percent(share),
      }, element("b", {}, token), element("i", {}, percent(share)));
      cell.style.setProperty("--share", `${100 * share}%`);
      return cell;
    });
    const text = `${reads[row]} → ${writes[row]}`;
    const name = areRows ? element("button", {
      type: "button", class: "name", "aria-pressed": row === state.row,
      onclick: () => { state.row = row; state.key = strongestKey(row); draw(); },
    }, text) : element("span", { class: "name" }, text);
    return element("div", { class: "line" }, name, element("div", { class: "tokens" }, ...cells));
  });
  return element("div", { class: "following" }, ...lines);
}

function sayNextToken(following) {
  if (DATA.kind === "encoder") {
    byId("readout").textContent = "Each line: the piece that was read, the piece that was"
      + " written, and the most probable pieces.";
    return;
  }
  const { tokens, probabilities } = following[state.row];
  byId("readout").textContent = `After ${DATA.labels.reads[state.row]}: ${tokens[0]} with`
    + ` ${percent(probabilities[0])}; ${DATA.labels.writes[state.row]} was written.`;
}

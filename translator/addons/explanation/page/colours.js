// Colours of numbers: blue below zero, red above; shares and sizes in one colour.

const HUES = {
  light: { above: [178, 58, 36], below: [31, 95, 168], share: [38, 36, 31] },
  dark: { above: [240, 138, 114], below: [143, 192, 255], share: [230, 226, 216] },
};
const HIDDEN = -1e8; // below it a number stands for "hidden"

/** The colour between paper and a hue. */
function tint(hue, share) {
  const paper = PAPER[theme()];
  return hue.map((channel, i) => Math.round(paper[i] + (channel - paper[i]) * share));
}

/** The number that has the full colour: 1 for shares, else the largest of a step. */
function scaleOf({ numbers, kind }) {
  if (kind === "share" || kind === "mask") return 1;
  let most = 0;
  for (const number of numbers) if (number > HIDDEN) most = Math.max(most, Math.abs(number));
  return most || 1;
}

/** The colour of a number. Square roots make small numbers visible. */
function colourOf(number, kind, scale) {
  const hues = HUES[theme()];
  if (number <= HIDDEN) return tint(hues.share, 0.12);
  const share = Math.min(1, Math.sqrt(Math.abs(number) / scale));
  if (kind !== "signed") return tint(hues.share, kind === "mask" ? 0.6 * number : share);
  return tint(number < 0 ? hues.below : hues.above, share);
}

/** The gradient of a kind for its legend. */
function gradientOf(kind) {
  const places = kind === "signed" ? [-1, -0.6, -0.3, -0.1, 0, 0.1, 0.3, 0.6, 1]
    : [0, 0.1, 0.3, 0.6, 1];
  return `linear-gradient(to right, ${places.map((p) => css(colourOf(p, kind, 1))).join(", ")})`;
}

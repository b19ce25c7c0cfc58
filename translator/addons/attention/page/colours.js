// Colours: one for each head, on light and on dark background.

const INK = { light: [52, 50, 46], dark: [226, 222, 212] };

/** Red, green and blue of a head; lighter on dark background. */
function hueOf(head) {
  const hex = DATA.colours[head];
  const channels = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return theme() === "light" ? channels : channels.map((c) => Math.round(c + 0.4 * (255 - c)));
}

/** The colour for several heads: theirs if it is the same for all, else that of text. */
function commonColour(heads) {
  const numbers = new Set(heads.map(([, head]) => head));
  return numbers.size === 1 ? hueOf(heads[0][1]) : INK[theme()];
}

/**
 * The pixels of maps drawn over each other: a weight of 0 leaves the background, 1 gives the
 * full colour. On light background colours multiply like inks, on dark they add up like lamps.
 */
function overprint(maps, hues) {
  const paper = PAPER[theme()];
  const pixels = new Uint8ClampedArray(4 * maps[0].length).fill(255);
  const limit = theme() === "light" ? 0 : 255; // where full ink or light ends
  const shares = hues.map((hue) => hue.map((c, i) => (c - paper[i]) / (limit - paper[i])));
  for (let i = 0; i < maps[0].length; i++) {
    for (let channel = 0; channel < 3; channel++) {
      let left = 1;
      for (let m = 0; m < maps.length; m++) left *= 1 - maps[m][i] * shares[m][channel];
      pixels[4 * i + channel] = Math.round(limit + (paper[channel] - limit) * left);
    }
  }
  return pixels;
}

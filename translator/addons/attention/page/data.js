// The recorded data, and the maps computed from it. Nothing here changes the page.

const unpacked = new Map();

/** Scores of a base64 string: 16-bit integers, each 65535 times the fourth root of a score. */
function unpack(text) {
  if (!unpacked.has(text)) {
    const bytes = bytesOf(text);
    const roots = new DataView(bytes.buffer);
    const scores = new Float32Array(bytes.length / 2);
    for (let i = 0; i < scores.length; i++) {
      const root = roots.getUint16(2 * i, true) / 65535;
      scores[i] = root * root * root * root;
    }
    unpacked.set(text, scores);
  }
  return unpacked.get(text);
}

/** The labels of the queries and keys of a kind, and its scores, map after map. */
function recorded(sentence, hypothesis, kind) {
  if (kind === "encoder") return [sentence.source, sentence.source, sentence.encoder];
  if (kind === "decoder") return [hypothesis.before, hypothesis.before, hypothesis.decoder];
  return [hypothesis.after, sentence.source, hypothesis.cross];
}

/**
 * The maps of a kind, in the chosen units.
 *
 * Returns {queries, keys, scores, maps}: labels of rows and columns, and the scores of
 * `maps` maps, (maps, queries, keys).
 */
function mapsOf(sentence, hypothesis, { kind, units, hideEnds }) {
  const [queries, keys, packed] = recorded(sentence, hypothesis, kind);
  const maps = sentence.layers[kind] * sentence.heads[kind];
  const pieces = { queries: queries.pieces, keys: keys.pieces, scores: unpack(packed), maps };
  const merged = units === "words" ? mergeWords(pieces, queries, keys) : pieces;
  return hideEnds ? withoutEnds(merged) : merged;
}

/** Sums weights to the pieces of a word, and averages weights from them. */
function mergeWords({ scores, maps }, queries, keys) {
  const [rows, columns] = [queries.numbers, keys.numbers];
  const [height, width] = [queries.words.length, keys.words.length];
  const share = new Float32Array(height);
  for (const word of rows) share[word] += 1;
  const merged = new Float32Array(maps * height * width);
  let from = 0;
  for (let map = 0; map < maps; map++) {
    for (const row of rows) {
      const start = (map * height + row) * width;
      for (const column of columns) merged[start + column] += scores[from++] / share[row];
    }
  }
  return { queries: queries.words, keys: keys.words, scores: merged, maps };
}

/** Whether a label is the start or end token, and not a word that looks like it. */
function isEnd(labels, i) {
  const [start, end] = DATA.ends;
  return (labels[i] === start && i === 0) || (labels[i] === end && i === labels.length - 1);
}

/** Removes start and end, and scales the rest of each row to sum to 1. */
function withoutEnds({ queries, keys, scores, maps }) {
  const inside = (labels) => [...labels.keys()].filter((i) => !isEnd(labels, i));
  const [rows, columns] = [inside(queries), inside(keys)];
  const scaled = new Float32Array(maps * rows.length * columns.length);
  let to = 0;
  for (let map = 0; map < maps; map++) {
    for (const row of rows) {
      const start = (map * queries.length + row) * keys.length;
      const total = columns.reduce((sum, column) => sum + scores[start + column], 0);
      for (const column of columns) scaled[to++] = total > 0 ? scores[start + column] / total : 0;
    }
  }
  const texts = (labels, places) => places.map((i) => labels[i]);
  return { queries: texts(queries, rows), keys: texts(keys, columns), scores: scaled, maps };
}

/** The scores of one map, (queries, keys), without copying them. */
function oneMap({ queries, keys, scores }, map) {
  const size = queries.length * keys.length;
  return scores.subarray(map * size, (map + 1) * size);
}

/** The mean of maps. */
function meanMap(maps) {
  const mean = new Float32Array(maps[0].length);
  for (const map of maps) for (let i = 0; i < mean.length; i++) mean[i] += map[i] / maps.length;
  return mean;
}

/** Where two translations first differ, counted from 0; -1 if they are the same. */
function firstDifference(first, second) {
  const length = Math.max(first.length, second.length);
  for (let i = 0; i < length; i++) if (first[i] !== second[i]) return i;
  return -1;
}

/** The weights from a query to each key, or from each query to a key. */
function weightsOf(map, width, side, index) {
  if (side === "query") return map.subarray(index * width, (index + 1) * width);
  return Float32Array.from({ length: map.length / width }, (_, row) => map[row * width + index]);
}

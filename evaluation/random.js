/**
 * A seeded random generator: mulberry32 (Tommy Ettinger, public domain), sufficient for simulations.
 * @typedef {ReturnType<typeof createRandom>} Random
 * @param {number} seed
 */
export function createRandom(seed) {
  let state = (seed * 0x9e3779b9) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ count) => Math.floor(next() * count);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    below,
    normal,
    /** @param {number} probability */
    chance: (probability) => next() < probability,
    /** @type {<T>(items: readonly T[]) => T} */
    pick: (items) => items[below(items.length)],
    /** One of the items, by their shares of the whole. @type {<T extends { share: number }>(items: readonly T[]) => T} */
    weighted(items) {
      let left = next() * items.reduce((sum, { share }) => sum + share, 0);
      for (const item of items) {
        left -= item.share;
        if (left < 0) return item;
      }
      return items[0];
    },
    /** @param {number} median @param {number} sigma of the logarithm */
    logNormal: (median, sigma) => median * Math.exp(sigma * normal()),
    /** An integer from 0 with the given mean. @param {number} mean */
    geometric: (mean) => Math.floor(Math.log(1 - next()) / Math.log(mean / (1 + mean))),
    /** @param {number} length */
    code: (length) =>
      Array.from({ length }, () => 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'[below(32)]).join(''),
  };
}

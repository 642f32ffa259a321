/**
 * A row of the table: one value per round.
 * @typedef {object} Figure
 * @property {string} title
 * @property {number[]} values
 * @property {string} [unit]
 * @property {number} [goal]
 * @property {'most' | 'least'} [goalIs] 'least' (default): the value should be at least the goal
 */

/** @typedef {{ ratios: Figure[], details: Figure[], notes: string[] }} PhaseResult */

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Ratios per round, so that a slow phase of the machine affects both sides.
 * @param {readonly number[]} above
 * @param {readonly number[]} below
 */
export function ratios(above, below) {
  return above.map((value, round) => value / below[round]);
}

/**
 * Runs the sides alternately: A B A B …
 * @template {Record<string, () => Promise<any>>} Sides
 * @param {number} rounds
 * @param {Sides} sides
 * @returns {Promise<{ [Side in keyof Sides]: Awaited<ReturnType<Sides[Side]>>[] }>}
 */
export async function takeTurns(rounds, sides) {
  const names = Object.keys(sides);
  const results = Object.fromEntries(names.map((name) => [name, /** @type {any[]} */ ([])]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) results[name].push(await sides[name]());
  }
  return /** @type {any} */ (results);
}

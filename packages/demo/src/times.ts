import { type Agent, DAY, HOUR } from './draft.js';
import type { SeededRandom } from './random.js';

/** How much happens in each hour of the day (UTC). */
const HOURS: Readonly<Record<Agent['hours'], readonly number[]>> = {
  office: [0, 0, 0, 0, 0, 0, 1, 5, 9, 10, 9, 6, 7, 9, 9, 7, 4, 1, 0, 0, 0, 0, 0, 0],
  shop: [1, 1, 0, 0, 0, 1, 2, 4, 6, 7, 7, 7, 8, 7, 6, 6, 7, 8, 9, 9, 8, 6, 3, 2],
  always: [2, 2, 2, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2],
};
/** Sunday first. */
const WEEKDAYS: Readonly<Record<Agent['hours'], readonly number[]>> = {
  office: [0, 10, 11, 11, 10, 8, 0],
  shop: [8, 11, 10, 10, 10, 11, 12],
  always: [7, 10, 10, 10, 10, 10, 8],
};
/** The business grows by this factor within the year. */
const GROWTH = 1.7;
/** November and December are busy. */
const SEASON = [0.9, 0.85, 0.95, 1, 1.05, 0.95, 0.85, 0.8, 1, 1.1, 1.5, 1.35] as const;

/** Draws times of cases between `start` and `end` (ms), as often as the business is busy. */
export function timesOf(
  hours: Agent['hours'],
  { start, end }: { readonly start: number; readonly end: number },
): (random: SeededRandom) => number {
  const days: number[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day <= end; day += DAY) days.push(day);
  const pickDay = weighted(days.map((day) => weightOf(day, hours, (day - start) / (end - start))));
  const pickHour = weighted(HOURS[hours]);
  return (random) => {
    for (;;) {
      const day = days[pickDay(random)] ?? start;
      const at = day + pickHour(random) * HOUR + random.int(0, HOUR - 1);
      if (at >= start && at < end) return at;
    }
  };
}

function weightOf(day: number, hours: Agent['hours'], passed: number): number {
  const date = new Date(day);
  const weekday = WEEKDAYS[hours][date.getUTCDay()] ?? 0;
  const season = SEASON[date.getUTCMonth()] ?? 1;
  return weekday * season * GROWTH ** passed;
}

/** Draws an index in proportion to the weights. */
function weighted(weights: readonly number[]): (random: SeededRandom) => number {
  const sums: number[] = [];
  for (const weight of weights) sums.push((sums.at(-1) ?? 0) + weight);
  const all = sums.at(-1) ?? 0;
  return (random) => {
    const drawn = random.next() * all;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

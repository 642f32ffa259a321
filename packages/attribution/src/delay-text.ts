import type { ComparedEvent } from './comparison.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From which length on a delay is stated in a unit. */
const UNITS = [
  { from: 2 * DAY_MS, size: DAY_MS, name: 'days' },
  { from: 2 * HOUR_MS, size: HOUR_MS, name: 'hours' },
  { from: 2 * MINUTE_MS, size: MINUTE_MS, name: 'minutes' },
];

/**
 * How much later than a decision an event happened, in words.
 * @param decided ms
 */
export function delayText(decided: number, { interval: { from, to } }: ComparedEvent): string {
  if (decided >= from && decided <= to) return to > from ? 'on the same day' : 'at the same time';
  return decided < from
    ? `${lengthText(from - decided)} later`
    : `${lengthText(decided - to)} earlier`;
}

function lengthText(ms: number): string {
  const unit = UNITS.find(({ from }) => ms >= from);
  return unit === undefined
    ? 'less than two minutes'
    : `${Math.round(ms / unit.size)} ${unit.name}`;
}

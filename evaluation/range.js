// Whether the range over all money holds the true net of a world.
import { likelyRange } from '@decision-ledger/attribution/likely-range';

/** As if nobody had answered: the widest range. */
const NO_ANSWERS = new Map();

/**
 * @param {import('./metrics.js').Judged[]} judged
 * @returns {{ range_holds: number, range_width: number }} 1 if it holds the true net; its width, as a part of all money
 */
export function measureRange(judged) {
  const signed = judged.map(({ event, worth, none }) => ({
    type: event.event_type,
    amount: Number(event.amount) < 0 ? -worth : worth,
    chance: 1 - none,
    isCaused: event.cause !== null,
  }));
  const money = signed.map(({ type, amount, chance }) => ({
    ...{ eventType: type, chance, squares: amount ** 2 },
    ...{ gains: Math.max(0, amount), losses: Math.min(0, amount) },
  }));
  const { low, high } = likelyRange(money, NO_ANSWERS);
  const net = signed.reduce((sum, { amount, isCaused }) => sum + (isCaused ? amount : 0), 0);
  const gross = signed.reduce((sum, { amount }) => sum + Math.abs(amount), 0);
  return { range_holds: Number(low <= net && net <= high), range_width: (high - low) / gross };
}

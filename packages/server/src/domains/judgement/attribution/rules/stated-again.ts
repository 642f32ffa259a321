import type { ComparedDecision, ComparedEvent } from './compared.js';
import type { HashedAmount } from './hashed.js';
import type { SharedValues } from './shared-values.js';

/**
 * Which decisions only state the amount of the event again: the last statement before them about the same
 * thing has it too, and they add another amount. A record of past payments repeats what earlier steps moved.
 * @returns for each decision, in their order
 */
export function statedAgain(
  { minorUnits, minorPerUnit, isNegative }: ComparedEvent,
  decisions: readonly ComparedDecision[],
  shared: readonly SharedValues[],
): boolean[] {
  const again = decisions.map(() => false);
  if (minorUnits === null) return again;
  const isTarget = (value: number) =>
    Math.abs(value) === minorUnits || Math.abs(value) === minorUnits / minorPerUnit;
  let last: ReadonlySet<number> = new Set();
  for (const { at, money } of statements(decisions, shared)) {
    const equal = money.filter(isTarget);
    const signed = equal.filter((value) => value < 0 === isNegative);
    const isNew = (value: number) => !last.has(value);
    const own = signed.length > 0 ? signed : equal;
    again[at] = own.length > 0 && !own.some(isNew) && money.some(isNew);
    last = new Set(money);
  }
  return again;
}

/** What the holders state, in the order of time. */
function statements(decisions: readonly ComparedDecision[], shared: readonly SharedValues[]) {
  return decisions
    .map(({ timestamp, features }, at) => ({ at, timestamp, money: signedMoney(features.amounts) }))
    .filter(({ at, money }) => shared[at]?.isHolder === true && money.length > 0)
    .sort((a, b) => a.timestamp - b.timestamp || a.at - b.at);
}

const signedMoney = (amounts: readonly HashedAmount[]): number[] =>
  amounts
    .filter(({ isMoney }) => isMoney)
    .map(({ value, isNegative }) => (isNegative ? -value : value));

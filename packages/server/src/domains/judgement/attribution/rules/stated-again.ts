import type { ComparedDecision, ComparedEvent } from './compared.js';
import type { HashedAmount } from './hashed.js';
import type { SharedValues } from './shared-values.js';

/**
 * Which decisions only state the amount of the event again: the last statement before them about the same
 * thing has it too, and they add another amount. A record of past payments repeats what earlier
 * steps moved.
 * @returns for each decision, in their order
 */
export function statedAgain(
  { minorUnits, minorPerUnit, isNegative }: ComparedEvent,
  decisions: readonly ComparedDecision[],
  shared: readonly SharedValues[],
): boolean[] {
  const again = decisions.map(() => false);
  if (minorUnits === null) return again;
  const isTarget = (value: number) => value === minorUnits || value === minorUnits / minorPerUnit;
  let last: ReadonlySet<number> = new Set();
  for (const { at, money } of statements(decisions, shared)) {
    const equal = money.filter(({ value }) => isTarget(value));
    const signed = equal.filter((amount) => amount.isNegative === isNegative);
    const own = signed.length > 0 ? signed : equal;
    const isNew = (amount: HashedAmount) => !last.has(nameOf(amount));
    again[at] = own.length > 0 && !own.some(isNew) && money.some(isNew);
    last = new Set(money.map(nameOf));
  }
  return again;
}

/** What the holders state, in the order of time. */
function statements(decisions: readonly ComparedDecision[], shared: readonly SharedValues[]) {
  return decisions
    .map(({ timestamp, features }, at) => {
      return { at, timestamp, money: features.amounts.filter(({ isMoney }) => isMoney) };
    })
    .filter(({ at, money }) => shared[at]?.isHolder === true && money.length > 0)
    .sort((a, b) => a.timestamp - b.timestamp || a.at - b.at);
}

const nameOf = ({ value, isNegative }: HashedAmount): number => (isNegative ? -value : value);

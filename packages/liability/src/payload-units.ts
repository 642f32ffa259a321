import type { PayloadUnits } from '@decision-ledger/contract/source-profiles';
import type { JsonValue } from '@decision-ledger/proof/gate';

type JsonObject = { readonly [key: string]: JsonValue };

/** Longer texts are no names of objects. */
const MAX_VALUE = 200;

/** The rows that apply at a place of a payload, in their order. */
type Active = readonly PayloadUnits[];

/** Tells in what units the objects of a payload state amounts. */
export interface UnitReader {
  /** The rows that apply everywhere. */
  readonly everywhere: Active;
  /** The rows that apply in an object, given those that apply around it. */
  enter(object: JsonObject, around: Active): Active;
}

export function unitReader(rows: readonly PayloadUnits[]): UnitReader {
  const everywhere = rows.filter(({ when }) => when === undefined);
  const bound = rows.filter(({ when }) => when !== undefined);
  return {
    everywhere,
    enter(object, around) {
      const begins = bound.filter((row) => !around.includes(row) && isIn(row.when, object));
      if (begins.length === 0) return around;
      return rows.filter((row) => around.includes(row) || begins.includes(row));
    },
  };
}

/**
 * @param outer key of the object that holds the key; empty for none
 * @returns null if no row says
 */
export function unitAt(active: Active, outer: string, key: string): PayloadUnits['unit'] | null {
  const row = active.find(({ keys }) =>
    keys.some((pattern) => matchesKey(pattern, pattern.includes('.') ? `${outer}.${key}` : key)),
  );
  return row?.unit ?? null;
}

function matchesKey(pattern: string, text: string): boolean {
  const isOpenAtStart = pattern.startsWith('*');
  const isOpenAtEnd = pattern.length > 1 && pattern.endsWith('*');
  const word = pattern.slice(isOpenAtStart ? 1 : 0, isOpenAtEnd ? -1 : undefined);
  if (isOpenAtStart && isOpenAtEnd) return text.includes(word);
  if (isOpenAtStart) return text.endsWith(word);
  return isOpenAtEnd ? text.startsWith(word) : text === word;
}

function isIn(when: PayloadUnits['when'], object: JsonObject): boolean {
  if (when === undefined || !Object.hasOwn(object, when.member)) return false;
  const value = object[when.member];
  if (when.values === undefined) return value !== null && value !== undefined;
  if (typeof value !== 'string' || value.length > MAX_VALUE) return false;
  const folded = value.toLowerCase();
  return when.values.some((one) => one.toLowerCase() === folded);
}

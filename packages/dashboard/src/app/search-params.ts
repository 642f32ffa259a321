import type { DayRange } from '../format/dates.ts';

/** The search parameters of an address, as the router parsed them. */
export type Given = Readonly<Record<string, unknown>>;

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A text, or undefined if there is none. */
export function textOf(given: Given, name: string): string | undefined {
  const value = given[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One of these values, or undefined. */
export function choiceOf<Value extends string>(
  given: Given,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const text = textOf(given, name);
  return values.find((value) => value === text);
}

/** A calendar day as YYYY-MM-DD, or undefined. */
function dayOf(given: Given, name: string): string | undefined {
  const text = textOf(given, name);
  return text !== undefined && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** A number within limits, or undefined. */
export function numberOf(given: Given, name: string, min: number, max: number): number | undefined {
  const text = textOf(given, name);
  const value = text === undefined ? Number.NaN : Number(text);
  return value >= min && value <= max ? value : undefined;
}

export function rangeOf(given: Given): DayRange {
  return { from: dayOf(given, 'from'), to: dayOf(given, 'to') };
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The members that have a value, as queries of the client take them. */
export function present<Values extends object>(values: Values): Present<Values> {
  const found: Present<Values> = { ...values };
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined) Reflect.deleteProperty(found, name);
  }
  return found;
}

import { processorOf } from '@decision-ledger/proof/movement';
import { isMoney, type ReportedRow } from './transaction.js';

/** Members of metadata that hold the number of an order. */
const ORDER = /order|invoice|^(?:merchant_?)?reference$|^code$/i;

/** Those of which a number may be as short as it likes: it names no money, and tells two orders apart. */
const SHORT_ORDER =
  /^(?:order|invoice)(?:_?(?:id|no|nr|number|code|reference))?$|^(?:code|reference)$/i;

export function ordersOf(
  { source, external_id }: ReportedRow,
  members: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
  carriers: ReadonlySet<string> | null,
): ReadonlySet<string> {
  const isOfItsOwn = processorOf(source) !== null || source.startsWith('bank/');
  const carried: (readonly [carrier: string, value: unknown, isShort: boolean])[] = [
    ...(isOfItsOwn
      ? []
      : [external_id, ...listedIn(external_id)].map((one) => ['external_id', one, true] as const)),
    ...Object.entries(members).flatMap(([name, value]) =>
      ORDER.test(name)
        ? [value, ...numbersIn(value)].map(
            (one) => [`metadata.${name}`, one, SHORT_ORDER.test(name)] as const,
          )
        : [],
    ),
  ];
  const numbers = carried.flatMap(([carrier, value, isShort]) => {
    if (isObjectId(value)) return [];
    const reference = toReference(value);
    if (reference !== null) return names.has(reference) ? [reference] : [];
    const short = fold(toText(value) ?? '');
    return isShort && DIGIT.test(short) && (carriers === null || carriers.has(carrier))
      ? [short]
      : [];
  });
  return new Set(numbers);
}

/**
 * Ids that processors make for what they have: Stripe and others with a prefix, PayPal with 17 characters. They name a payment, and
 * tell no two orders apart.
 */
const PREFIXED =
  /^(?:ch|py|pi|re|pyr|txn|in|ii|cs|src|du|dp|po|tr|sub|cus|card|pm|pay|rfnd|setl)_(?:test_|live_)?[A-Za-z\d]{10,}$/;
const OF_PAYPAL = /^(?=[A-Z\d]{17}$)[A-Z\d]*\d[A-Z]+\d+[A-Z]/;
const isObjectId = (value: unknown): boolean =>
  typeof value === 'string' && [PREFIXED, OF_PAYPAL].some((form) => form.test(value));

/** Members of metadata that a processor has for the objects of a payment. */
const OBJECT = /^stripe_(?:charge|payment_intent|source)$/;

/** The ids by which a processor knows a payment, and what was given back or kept of it. */
export function objectsOf(
  { source, external_id }: ReportedRow,
  members: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  if (processorOf(source) === null) return new Set();
  const written = Object.entries(members).flatMap(([name, value]) =>
    OBJECT.test(name) ? [value] : [],
  );
  return new Set(
    [external_id, ...written].flatMap((one) => {
      const id = toReference(one);
      return id !== null && names.has(id) ? [id] : [];
    }),
  );
}

/** Members of metadata that name what a report is part of: the payout of a sale is not the sale. */
const PARENTS =
  /^(?:part_of|stripe_payout|(?:purchase_?order|contract|subscription)(?:_?(?:id|number))?)$/i;
/** Members that name the customer, whatever the settings call it: a customer pays more than once. */
const CUSTOMER = /^(?:\w*_)?(?:customer|client|buyer)(?:_?(?:id|key|number))?$/i;

export const namesOfOthers = (members: Readonly<Record<string, unknown>>): (string | null)[] =>
  Object.entries(members).flatMap(([name, value]) =>
    PARENTS.test(name) || CUSTOMER.test(name) ? [value, ...numbersOf(value)].map(toReference) : [],
  );

/** More references of one report than this are not compared: its external_id comes first, its description last. */
const MOST_REFERENCES = 32;
const MAX_CHARS = 200;

/** Carriers only narrow what is read without them: so keys of references that are not read any more are known. */
export function referencesOf(
  { external_id, description, currency }: ReportedRow,
  members: Readonly<Record<string, unknown>>,
  carriers: ReadonlySet<string> | null,
): ReadonlySet<string> {
  const carried: readonly (readonly [carrier: string, value: unknown])[] = [
    ...[external_id, ...listedIn(external_id)].map((one) => ['external_id', one] as const),
    ...Object.entries(members).flatMap(([name, value]) => {
      const all = ORDER.test(name) ? [value, ...numbersIn(value)] : [value];
      return all.map((one) => [`metadata.${name}`, one] as const);
    }),
    ...wordsIn(description).flatMap((word) =>
      [word, ...spannedIn(word)].map((one) => ['description', one] as const),
    ),
    ...spacedIn(description, currency).map((words) => ['description', words] as const),
  ];
  const all = new Set<string>();
  const chosen = new Set<string>();
  for (const [carrier, value] of carried) {
    const reference = isMoney(value) ? null : toReference(value);
    if (reference === null) continue;
    all.add(reference);
    if (carriers === null || carriers.has(carrier)) chosen.add(reference);
    if (all.size === MOST_REFERENCES) break;
  }
  return chosen;
}

/** What says that a number follows, with it or before it: `№100823`, `n° 100823`. */
const NUMBER_SIGN = /\bn[\u00b0\u00ba]|\u2116/giu;

export const wordsIn = (description: string | null): readonly string[] =>
  description
    ?.slice(0, MAX_CHARS)
    .replace(NUMBER_SIGN, ' \u2116 ')
    .split(/[\s,;()[\]"']+/) ?? [];

/** Members of an order that name it; its others may be of its customer, its place or its goods. */
const NUMBERS = /^(?:id|no|nr|number|code|reference|(?:order|invoice)_?(?:id|no|nr|number))$/i;

/** The numbers in a member that is of an order: of several orders, or of an order that is an object. */
const numbersIn = (value: unknown): readonly unknown[] => [...listedIn(value), ...numbersOf(value)];

function numbersOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => (NUMBERS.test(name) ? [one] : []));
}

/** A shorter part of a text may be a year, or the second half of one number. */
const LEAST_LISTED = 5;

/** The numbers of several orders in one member: a list, or a text of nothing else. */
function listedIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const words = typeof value === 'string' ? wordsIn(value).filter((word) => word !== '') : [];
  const numbers = words.flatMap((word) => {
    const spanned = spannedIn(word);
    return spanned.length === 0 ? [word] : spanned;
  });
  return numbers.length > 1 && numbers.every(isListed) ? numbers : [];
}

const isListed = (word: string): boolean => (foldReference(word)?.length ?? 0) >= LEAST_LISTED;

/** A number, and the last digits of those that follow it: `41070/71`, `RE-41070/71/72`. */
const SHORTENED = /^(\D{0,6})(\d{5,})((?:\/\d{2,4})+)$/;

/** The numbers of several orders in one word, whole or shortened; none if it has one. */
function spannedIn(word: string): readonly string[] {
  const whole = word.split(/[/+&]/);
  if (whole.length > 1 && whole.every(isListed)) return whole;
  const [, prefix, first, rest] = SHORTENED.exec(word) ?? [];
  if (prefix === undefined || first === undefined || rest === undefined) return [];
  const numbers = [first];
  for (const end of rest.slice(1).split('/')) {
    const next = `${first.slice(0, -end.length)}${end}`;
    if (end.length >= first.length || next <= (numbers.at(-1) ?? '')) return [];
    numbers.push(next);
  }
  return numbers.map((number) => prefix + number);
}

const PREFIX = /^[A-Za-z]{1,4}$/;
const NUMBER = /^\d{5,}$/;
const YEAR = /^(?:19|20)\d{2}$/;
const NUMBER_OF_YEAR = /^\d{3,}$/;

/** Numbers with letters before them that are written as several words: `A 100253`, `INV 2025 00007`. */
function spacedIn(description: string | null, currency: string): readonly string[] {
  const words = wordsIn(description);
  return words.flatMap((prefix, at) => {
    const [first = '', second = ''] = words.slice(at + 1, at + 3);
    if (!PREFIX.test(prefix) || prefix.toUpperCase() === currency) return [];
    if (YEAR.test(first) && NUMBER_OF_YEAR.test(second)) return [prefix + first + second];
    return NUMBER.test(first) && !DATE.test(first) ? [prefix + first] : [];
  });
}

function toReference(value: unknown): string | null {
  const text = toText(value);
  return text === null ? null : foldReference(text);
}

/** However short it is: it is compared with other customers alone. */
export function toCustomer(value: unknown): string | null {
  const folded = fold(toText(value) ?? '');
  return folded === '' ? null : folded;
}

function toText(value: unknown): string | null {
  const text = typeof value === 'number' ? JSON.stringify(value) : value;
  return typeof text === 'string' && text.length <= MAX_CHARS ? text : null;
}

/** A year, a month or a day. */
export const DATE = /^(?:19|20)\d{2}(?:[01]\d(?:[0-3]\d)?)?$/;

/**
 * Letters and digits of ASCII in lower case; what is beyond ASCII stays, but for spaces, dashes, the sign of a number and lone
 * surrogates.
 */
const IGNORED = /[^0-9A-Za-z\u0080-\u{10ffff}]|[\u00a0\u2010-\u2015\u202f\u2116\p{Cs}]/gu;
const CAPITALS = /[A-Z]/g;
const LEAST_CHARS = 4;
const DIGIT = /[0-9]/;

const fold = (text: string): string =>
  text.replace(IGNORED, '').replace(CAPITALS, (letter) => letter.toLowerCase());

/** A reference in one spelling; null if it is too short, or has no digit, to name one transaction. */
export function foldReference(text: string): string | null {
  const folded = fold(text);
  return [...folded].length >= LEAST_CHARS && DIGIT.test(folded) ? folded : null;
}

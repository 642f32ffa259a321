/** Makes `customerId`, `customer_id` and `Customer-ID` equal. */
export function normaliseKey(key: string): string {
  return key.normalize('NFKC').toLowerCase().replace(SEPARATORS, '');
}

const SEPARATORS = /[^\p{L}\p{N}]/gu;
const PADDING = /(?<![0-9])0+(?=[0-9])/g;
const DIGIT_RUNS = /[0-9]+/g;

/** NFKC, case folded, without separators and zero padding: `ORD-00123` and `ord 123` are equal. */
export function canonicalOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(SEPARATORS, '').replace(PADDING, '');
}

const MIN_CORE = 6;

/** The longest run of digits of a canonical value; empty if it has fewer than six. */
export function digitCoreOf(canonical: string): string {
  let core = '';
  for (const [run] of canonical.matchAll(DIGIT_RUNS)) if (run.length > core.length) core = run;
  return core.length >= MIN_CORE ? core : '';
}

/**
 * The shape of a canonical value: two values of different shapes under one key do not contradict each
 * other, because they may name different things.
 */
export function shapeOf(canonical: string): string {
  const letters = canonical.search(/[0-9]/);
  if (letters === -1) return 'letters';
  const rest = canonical.slice(letters);
  if (!/[^0-9]/.test(rest))
    return letters === 0 ? 'digits' : `${canonical.slice(0, letters)} digits`;
  return `mixed ${canonical.length}`;
}

const PREFIXED = /^([^0-9]{2,})[0-9]+$/;

/** The letters before the digits of a canonical value, if it has no others: `mrn` of `mrn123`. */
export const prefixOf = (canonical: string): string => PREFIXED.exec(canonical)?.[1] ?? '';

const ID_ENDS = [
  ...['uuid', 'guid', 'ids', 'id', 'number', 'nummer', 'numero', 'num', 'nr', 'no', 'reference'],
  ...['referenz', 'ref', 'code', 'key', 'token'],
];

/** The kind of thing that a key names: `order` for `order_id`; empty for `id` or `reference`. */
export function kindOf(key: string): string {
  const end = ID_ENDS.find((word) => key.endsWith(word));
  const kind = end === undefined ? key : key.slice(0, -end.length);
  return UNSPECIFIC.has(kind) ? '' : kind;
}

const UNSPECIFIC = new Set([
  ...['', 'external', 'merchant', 'client', 'source', 'internal', 'object', 'entity', 'record'],
  ...['original', 'related', 'parent', 'value', 'my', 'our', 'your', 'their', 'the'],
]);

const NAMES_AN_ID =
  /(?:id|ids|uuid|guid|number|nummer|numero|num|no|nr|ref|reference|code|key|token|sku|email|phone|iban|handle|plate)$|^(?:order|invoice|payment|reservation|booking|account|customer|user|ticket|case|contract|claim|policy|subscription|shipment|transaction|charge)$/;
/** People, firms, things and places: what lasts longer than a transaction. */
const NAMES_AN_ENTITY =
  /customer|client|user|account|member|patient|employee|staff|driver|passenger|guest|tenant|supplier|vendor|company|contact|person|owner|holder|payer|payee|email|mail|phone|mobile|iban|card|product|sku|item|article|store|branch|vehicle|plate|region|city|country|agent|name|address|segment|campaign|plan/;
const NAMES_AN_AMOUNT =
  /amount|price|total|subtotal|paid|cost|fee|refund|charge|payout|credit|debit|balance|premium|value|sum$|tax|betrag|preis|summe|montant|prix|importe|precio|valor|bedrag|kwota/;

export const namesAnId = (key: string): boolean => NAMES_AN_ID.test(key);
export const namesAnEntity = (key: string): boolean => NAMES_AN_ENTITY.test(key);
export const namesAnAmount = (key: string): boolean =>
  NAMES_AN_AMOUNT.test(key) && !NAMES_AN_ID.test(key);

const DECIMAL = /^[+-]?[0-9]{1,20}(?:[.,][0-9]{1,12})?$/;
const DATE =
  /^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?(?:$|[t ])|^[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}$|^[0-9]{1,2}:[0-9]{2}/i;

export const isDecimal = (text: string): boolean => DECIMAL.test(text);
export const isDateLike = (text: string): boolean => DATE.test(text);

const MIN_CHARS = 4;
const MIN_INTEGER_DIGITS = 5;

/** Whether a scalar without white space may be an identifier. Real dates and plain amounts are not. */
export function isIdentifier(key: string, text: string): boolean {
  if (text.length < 3 || isDateLike(text) || text === 'true' || text === 'false') return false;
  if (namesAnId(key)) return true;
  if (!/[0-9]/.test(text)) return false;
  if (isDecimal(text)) {
    return !namesAnAmount(key) && /^[0-9]+$/.test(text) && text.length >= MIN_INTEGER_DIGITS;
  }
  return text.length >= MIN_CHARS;
}

const SHORT_NUMBER = /^(?!19|20)[0-9]{4}$/;

/** Four digits that are written as a text, such as the end of a card number, unless they may be a year. */
export const isShortIdentifier = (key: string, text: string): boolean =>
  SHORT_NUMBER.test(text) && !namesAnAmount(key);

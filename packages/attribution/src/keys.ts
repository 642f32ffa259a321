import { type AmountUnit, unitOfKey } from '@decision-ledger/amounts/minor-units';

/** What the name of a member says of its value. */
export interface Key {
  /** `customerid` for `customerId`, `customer_id` and `Customer-ID`; empty for a value without a name. */
  readonly name: string;
  readonly unit: AmountUnit;
  readonly namesAnId: boolean;
  /** Whether it names a person, a firm or a thing rather than a transaction. */
  readonly namesAnEntity: boolean;
  readonly namesAnAmount: boolean;
  /** Whether the value is when a record was written, which the record itself says already. */
  readonly isTimeOfRecord: boolean;
  /** The kind of thing that it names: `order` for `order_id`; empty for `id` or `reference`. */
  readonly kind: string;
}

const MAX_CHARS = 100;
/** A fleet of agents writes some hundreds of keys, each of them very often. */
const MAX_KNOWN = 2000;

const known = new Map<string, Key>();

/** @param written the name as a payload states it; its first 100 characters are read */
export function keyOf(written: string): Key {
  const read = written.length > MAX_CHARS ? written.slice(0, MAX_CHARS) : written;
  let key = known.get(read);
  if (key === undefined) {
    key = readKey(read);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(read, key);
  }
  return key;
}

function readKey(written: string): Key {
  const name = normalise(written);
  const namesAnId = NAMES_AN_ID.test(name);
  return {
    name,
    unit: unitOfKey(written),
    namesAnId,
    namesAnEntity: NAMES_AN_ENTITY.test(name),
    namesAnAmount: NAMES_AN_AMOUNT.test(name) && !namesAnId,
    isTimeOfRecord: IS_TIME_OF_RECORD.test(name),
    kind: kindOf(name),
  };
}

const ASCII = /^[\0-\x7f]*$/;
const ASCII_SEPARATORS = /[^a-z0-9]/g;
const SEPARATORS = /[^\p{L}\p{N}]/gu;

/** NFKC, case folded, without separators: makes `customerId`, `customer_id` and `Customer-ID` equal. */
export function normalise(text: string): string {
  return ASCII.test(text)
    ? text.toLowerCase().replace(ASCII_SEPARATORS, '')
    : text.normalize('NFKC').toLowerCase().replace(SEPARATORS, '');
}

const ID_ENDS = [
  ...['uuid', 'guid', 'ids', 'id', 'number', 'nummer', 'numero', 'num', 'nr', 'no', 'reference'],
  ...['referenz', 'ref', 'code', 'key', 'token'],
];

function kindOf(name: string): string {
  const end = ID_ENDS.find((word) => name.endsWith(word));
  const kind = end === undefined ? name : name.slice(0, -end.length);
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
const IS_TIME_OF_RECORD = /creat|updat|modif|timestamp|logged|sent|received|generated/;

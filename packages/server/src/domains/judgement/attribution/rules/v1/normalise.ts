import type { JsonValue } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';

/** Makes `customerId`, `customer_id` and `Customer-ID` equal. */
export function normaliseKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** @returns null for a value that is empty, too long or not a scalar */
export function normaliseValue(value: JsonValue): string | null {
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase();
    return text === '' || text.length > MAX_VALUE_CHARS ? null : text;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return null;
}

/** The magnitude of an amount: 1250, "1250.00" and -1250 are equal; null for zero and for text. */
export function normaliseAmount(value: JsonValue): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  const amount = new Big(text).abs();
  return amount.eq(0) ? null : amount.toFixed();
}

const MAX_VALUE_CHARS = 100;
const DECIMAL = /^-?\d{1,20}(?:\.\d{1,12})?$/;

const NAMES_AN_ID =
  /(?:id|ids|uuid|guid|number|num|no|ref|reference|code|key|token|sku|email|phone|iban|handle)$|^(?:order|invoice|payment|reservation|booking|account|customer|user|ticket|case|contract|claim|policy|subscription|shipment|transaction|charge)$/;
const NAMES_AN_AMOUNT =
  /amount|price|total|subtotal|paid|cost|fee|refund|charge|payout|credit|debit|balance|premium|value|sum$/;
const LOOKS_LIKE_AN_ID = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}_.:/@#-]{4,99}$/u;
const DATE_LIKE = /^\d{4}-\d{2}(?:-\d{2})?(?:[t ].*)?$|^\d{1,2}:\d{2}/;

/** Whether a member may be an identifier, such as that of an order, a payment or a customer. */
export function isIdentifier(key: string, value: string): boolean {
  if (/\s/.test(value) || DATE_LIKE.test(value) || value === 'true' || value === 'false') {
    return false;
  }
  if (NAMES_AN_ID.test(key)) return value.length >= 3;
  return LOOKS_LIKE_AN_ID.test(value) && !DECIMAL.test(value);
}

export function namesAnAmount(key: string): boolean {
  return NAMES_AN_AMOUNT.test(key) && !NAMES_AN_ID.test(key);
}

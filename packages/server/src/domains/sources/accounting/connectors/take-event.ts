import { currencyProblem, isCurrency } from '@decision-ledger/contract/currency';
import { LedgerError } from '@decision-ledger/contract/errors';
import { parseTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { GateError, type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { Big } from 'big.js';
import { Type } from 'typebox';
import type { SourceEvent } from '../rules/source-record.js';

const DESCRIPTION_CHARS = 1000;
const Short = Type.String({ minLength: 1, maxLength: 200 });

const Event = Type.Object({
  event_type: Short,
  amount: Type.String({ pattern: '^-?(0|[1-9]\\d{0,19})(\\.\\d{1,12})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  external_id: Type.Optional(Short),
  timestamp: Type.String(),
  description: Type.Optional(Type.String({ maxLength: DESCRIPTION_CHARS })),
  metadata: Type.Optional(Type.Object({})),
});
const checkEvent = checker(Event, 'record');

export const FINGERPRINT_OF_NOTHING = sha256Hex(canonicalJson(null));

/** An event and its fingerprint, or the reason why it cannot be stored. */
export type Taken =
  | { readonly event: SourceEvent; readonly fingerprint: string }
  | { readonly problem: string };

/** Checks that an event from another system can be stored unchanged. */
export function takeEvent(event: SourceEvent): Taken {
  try {
    checkEvent(event);
    const problem = currencyProblem(event.currency, parseTimestamp(event.timestamp) ?? 0);
    if (problem !== null) return { problem };
    const text = canonicalJson(toJson(event));
    parseJson(text);
    return { event, fingerprint: sha256Hex(text) };
  } catch (error) {
    return { problem: describeProblem(error) };
  }
}

function toJson(event: SourceEvent): JsonValue {
  const { metadata, ...rest } = event;
  return metadata === undefined ? rest : { ...rest, metadata: { ...metadata } };
}

/** The reason why a check or the gate refused a value. Any other error is thrown again. */
export function describeProblem(error: unknown): string {
  if (error instanceof LedgerError) {
    const fields = Object.entries(error.details?.fields ?? {});
    return fields.map(([field, problems]) => `${field} ${problems.join(', ')}`).join('; ');
  }
  if (error instanceof GateError) return `${error.path}: ${error.message}`;
  if (error instanceof TypeError) return error.message;
  throw error;
}

/** Trims a description to its maximum length, with an ellipsis. */
export function toDescription(text: string): { description?: string } {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  if (trimmed.length <= DESCRIPTION_CHARS) return { description: trimmed };
  const cut = trimmed.slice(0, DESCRIPTION_CHARS - 1).replace(/[\ud800-\udbff]$/, '');
  return { description: `${cut}…` };
}

/** The first instant of a calendar date in UTC; null for any other text. */
export function toTimestamp(date: string): string | null {
  const timestamp = `${date}T00:00:00.000Z`;
  return parseTimestamp(timestamp) === null ? null : timestamp;
}

/** A JSON number with limited digits and exponent. */
const DECIMAL = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?$/;
const AMOUNT = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,12})?$/;

/**
 * Converts a number to an exact decimal without exponent, trailing zeros or a sign of zero.
 * @param sign turns the number into money received by the organisation
 * @returns null for a text that is not a number, or has more than 20 digits before or 12 after the point
 */
export function toAmount(text: string, sign: 1 | -1): string | null {
  if (!DECIMAL.test(text)) return null;
  const value = new Big(text);
  const amount = value.eq(0) ? '0' : value.times(sign).toFixed();
  return AMOUNT.test(amount) ? amount : null;
}

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP' };

/**
 * The ISO 4217 code of a code or of `$`, `€`, `£`; null for any other text.
 * @param own codes of commodities, which come first
 */
export function toCurrency(
  commodity: string,
  own: Readonly<Record<string, string>> = {},
): string | null {
  const mapped = Object.hasOwn(own, commodity) ? own[commodity] : undefined;
  const known = Object.hasOwn(SYMBOLS, commodity) ? SYMBOLS[commodity] : commodity;
  const code = mapped ?? known;
  return code !== undefined && isCurrency(code) ? code : null;
}

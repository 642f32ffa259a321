import { type ReadAmount, readAmount } from '@decision-ledger/amounts/read-amount';
import { isCurrency } from '@decision-ledger/contract/currency';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Metadata } from './metadata.js';

/** What metadata say of the cost of making a decision. */
export interface RunningCost {
  /** As it is stated: decimal text, of 0 or more. */
  readonly stated: { readonly amount: string; readonly currency: string } | null;
  /** What a price is needed for; null if not all of it is stated, or the cost is. */
  readonly tokens: Tokens | null;
}

export interface Tokens {
  readonly model: string;
  /** Including those that were cached. */
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

type Members = { readonly [name: string]: JsonValue };

/**
 * Reads `cost`, else `usage` with its cost or its tokens. Metadata is free, so what cannot be read refuses nothing.
 * @returns null if the metadata say nothing of a cost
 */
export function readRunningCost(metadata: Metadata): RunningCost | null {
  if (metadata === undefined) return null;
  const { cost, usage: used } = metadata;
  if (cost === undefined && used === undefined) return null;
  const usage = membersOf(used);
  const stated = statedIn(cost, metadata.currency) ?? statedIn(usage?.cost, usage?.currency);
  if (stated !== null) return { stated, tokens: null };
  return usage === null ? null : { stated: null, tokens: tokensIn(usage, metadata.model) };
}

/** `{amount, currency}`, or a number or text with the currency in it or beside it. */
function statedIn(
  cost: JsonValue | undefined,
  beside: JsonValue | undefined,
): RunningCost['stated'] {
  const members = membersOf(cost);
  const [value, name] = members === null ? [cost, beside] : [members.amount, members.currency];
  if (value === undefined) return null;
  const sibling = currencyOf(name);
  const amount: ReadAmount | null = readAmount(value, sibling);
  const currency = amount?.currency ?? sibling;
  if (amount === null || currency === null || amount.decimal.startsWith('-')) return null;
  return { amount: amount.decimal, currency };
}

function currencyOf(name: JsonValue | undefined): string | null {
  const code = typeof name === 'string' && name.length === 3 ? name.toUpperCase() : '';
  return isCurrency(code) ? code : null;
}

const MAX_MODEL = 200;

/** One of input and output may follow from the total. */
function tokensIn(usage: Members, model: JsonValue | undefined): Tokens | null {
  if (typeof model !== 'string' || model === '' || model.length > MAX_MODEL) return null;
  const total = countOf(usage.total_tokens);
  const [stated, made] = [countOf(usage.input_tokens), countOf(usage.output_tokens)];
  const input = stated ?? rest(total, made);
  const output = made ?? rest(total, stated);
  const cached = usage.cached_input_tokens === undefined ? 0 : countOf(usage.cached_input_tokens);
  if (input === null || output === null || cached === null || cached > input) return null;
  return { model, input, cached, output };
}

function rest(total: number | null, part: number | null): number | null {
  return total === null || part === null || part > total ? null : total - part;
}

function countOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

const membersOf = (value: JsonValue | undefined): Members | null =>
  isMembers(value) ? value : null;

function isMembers(value: JsonValue | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { Check } from 'typebox/value';
import { PartOfPayout, Payout } from './payout.js';
import type { StripeRecords } from './settlement.js';
import { readStripeEvent } from './stripe-event.js';
import { groupOf, kindOf, Transaction } from './transaction.js';

/** What is kept of an object that was read. The same one has the same id. */
export interface Kept {
  readonly id: string;
  /** The object with whose records it is read. */
  readonly group: string;
  readonly payload: Transaction | PartOfPayout | Payout;
}

/** @param payout the id of the payout that the transaction was read as a part of */
export function keptOfTransaction(transaction: Transaction, payout: string | null): Kept[] {
  const { id } = transaction;
  const own = { id, group: groupOf(transaction), payload: transaction };
  if (payout === null || isItself(transaction, payout)) return [own];
  const part = { object: 'payout_transaction' as const, payout, transaction: id };
  return [own, { ...own, id: `${payout}/${id}`, payload: part }];
}

/** A payout is a transaction of its own list. */
export const isItself = (transaction: Transaction, payout: string): boolean =>
  kindOf(transaction) === 'payout' && transaction.source === payout;

/** Each state of a payout is kept. */
export function keptOfPayout(payout: Payout): Kept {
  const digest = sha256Hex(canonicalJson(payout)).slice(0, 16);
  return { id: `${payout.id}/${digest}`, group: payout.id, payload: payout };
}

/** Sorts what was kept: events of the webhook, and objects of the API. */
export function readRecords(kept: readonly JsonValue[]): StripeRecords {
  const transactions = kept.filter((value) => Check(Transaction, value));
  const parts = kept.filter((value) => Check(PartOfPayout, value));
  const payouts = kept.filter((value) => Check(Payout, value));
  const others = new Set<JsonValue>([...transactions, ...parts, ...payouts]);
  const events = kept.filter((value) => !others.has(value));
  return { transactions, parts, payouts, events: events.map(readStripeEvent) };
}

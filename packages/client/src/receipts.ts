import type { BatchedReceipt, DecisionReceipt } from './api/decision.js';
import { type LedgerApiError, LedgerConnectionError } from './errors.js';
import { readRefusal } from './read-error.js';

/** The last receipt in the chain: what `expect_seq` and `expect_hash` of a verification take. */
export interface Anchor {
  readonly seq: number;
  readonly hash: string;
}

/** What became of the decisions of a batch. */
export interface BatchAnswer {
  /** Of those that are recorded, in their order. */
  readonly receipts: readonly BatchedReceipt[];
  /** Why others were refused, by their places. */
  readonly refused: ReadonlyMap<number, LedgerApiError>;
}

/**
 * Reads the answer to a batch.
 * @throws LedgerConnectionError if it is not a receipt or a refusal for each decision: the batch is sent again
 */
export function readAnswer(data: unknown, count: number): BatchAnswer {
  const list: unknown = isObject(data) ? data.decisions : undefined;
  const refused = readRefusals(isObject(data) ? (data.refused ?? []) : [], count);
  if (!Array.isArray(list) || list.length + refused.size !== count) {
    throw new LedgerConnectionError(`the answer has no receipts for ${count} decisions`);
  }
  return { receipts: readReceipts(list), refused };
}

/** Reads the refusal of a batch of which no decision is recorded; null if it does not say why for each. */
export function readWholeRefusal({ details }: LedgerApiError, count: number): BatchAnswer | null {
  try {
    const refused = readRefusals(details.refused, count);
    return refused.size === count ? { receipts: [], refused } : null;
  } catch {
    return null;
  }
}

/**
 * Reads why decisions of a batch were refused.
 * @throws LedgerConnectionError if it does not say it for different decisions of the batch
 */
function readRefusals(list: unknown, count: number): Map<number, LedgerApiError> {
  const refused = new Map<number, LedgerApiError>();
  for (const one of Array.isArray(list) ? list : [null]) {
    const index: unknown = isObject(one) ? one.index : undefined;
    const error: unknown = isObject(one) ? one.error : undefined;
    const isPlace = typeof index === 'number' && Number.isInteger(index) && index >= 0;
    if (!isPlace || index >= count || refused.has(index) || !isObject(error)) {
      throw new LedgerConnectionError('the answer names no decision that it refuses');
    }
    refused.set(index, readRefusal(error));
  }
  return refused;
}

function readReceipts(list: readonly unknown[]): BatchedReceipt[] {
  const receipts = list.map(readReceipt);
  // Two members with the same key are one decision; the second is a replay.
  const added = receipts.filter(({ replayed }) => !replayed);
  if (new Set(added.map(({ decision_id }) => decision_id)).size !== added.length) {
    throw new LedgerConnectionError('the answer names a decision twice');
  }
  return receipts;
}

/** @throws LedgerConnectionError if it is no receipt */
export function readReceipt(value: unknown): BatchedReceipt {
  if (!isReceipt(value)) throw new LedgerConnectionError('the answer has an incomplete receipt');
  return { ...value, replayed: Reflect.get(value, 'replayed') === true };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isReceipt(value: unknown): value is DecisionReceipt {
  if (!isObject(value)) return false;
  const { decision_id, seq, hash, prev_hash } = value;
  const isId = typeof decision_id === 'string' && decision_id.startsWith('dec_');
  const isSeq = typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 1;
  return isId && isSeq && isHash(hash) && isHash(prev_hash);
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** Compares receipts with the chain as the earlier ones showed it. */
export class ReceiptCheck {
  #anchor: Anchor | null;
  readonly #keep: (anchor: Anchor) => void;

  /**
   * @param anchor the highest receipt of former processes
   * @param keep called when a batch or a receipt had a higher one
   */
  constructor(anchor: Anchor | null, keep: (anchor: Anchor) => void) {
    this.#anchor = anchor;
    this.#keep = keep;
  }

  /** The highest receipt so far. */
  get anchor(): Anchor | null {
    return this.#anchor;
  }

  /**
   * Takes the receipts of a batch.
   * @param before the anchor when the batch was sent: the receipt of a single decision may overtake its answer
   * @returns a contradiction, or null
   */
  takeBatch(receipts: readonly BatchedReceipt[], before: Anchor | null): string | null {
    const added = receipts.filter(({ replayed }) => !replayed);
    const [first] = added;
    this.#takeAll(receipts);
    if (before !== null && first !== undefined && first.seq <= before.seq) {
      return `a new decision has seq ${first.seq}, but ${before.seq} was given before: the ledger was restored or replaced`;
    }
    const broken = added.findIndex((receipt, index) => {
      const previous = added[index - 1];
      if (previous === undefined) return false;
      return receipt.seq !== previous.seq + 1 || receipt.prev_hash !== previous.hash;
    });
    return broken === -1 ? null : `the receipts of a batch do not form a chain at member ${broken}`;
  }

  /** Keeps the receipt as the anchor if it is the highest. */
  take(receipt: DecisionReceipt): void {
    this.#takeAll([receipt]);
  }

  #takeAll(receipts: readonly DecisionReceipt[]): void {
    const before = this.#anchor;
    for (const { seq, hash } of receipts) {
      if (seq > (this.#anchor?.seq ?? 0)) this.#anchor = { seq, hash };
    }
    if (this.#anchor !== null && this.#anchor !== before) this.#keep(this.#anchor);
  }
}

import {
  DecisionBatchReceipt,
  type DecisionBody,
  DecisionReceipt,
} from '@decision-ledger/contract/decision';
import { Failure, success } from '@decision-ledger/contract/shared';
import { Check } from 'typebox/value';
import type { Caller, Reply } from './caller.js';

/** One request of a load: a decision or a batch. Its name is found again in the ledger. */
export interface Order {
  readonly name: string;
  readonly size: number;
  readonly batch: boolean;
  /** Idempotency-Key. */
  readonly key: string | null;
  /** The key is not that of the request: each decision of the batch has one that begins with it. */
  readonly keyPerDecision?: boolean;
}

export type Outcome =
  | { readonly kind: 'acknowledged'; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfter: string | null }
  | { readonly kind: 'unanswered' };

/** What was sent and what the service acknowledged. */
export class Journal {
  readonly sent = new Map<string, Order>();
  readonly acknowledged = new Map<string, readonly DecisionReceipt[]>();
  /** Receipts of orders whose first half was also sent alone. */
  readonly halves = new Map<string, readonly DecisionReceipt[]>();
  /** Acknowledgements that contradict an earlier one. */
  readonly contradictions: string[] = [];

  get decisions(): number {
    return [...this.acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The receipt with the highest position. */
  get last(): DecisionReceipt | undefined {
    const ends = [...this.acknowledged.values()].flatMap((receipts) => receipts.slice(-1));
    return ends.reduce<DecisionReceipt | undefined>(
      (last, end) => (last === undefined || end.seq > last.seq ? end : last),
      undefined,
    );
  }

  get unacknowledged(): Order[] {
    return [...this.sent.values()].filter(({ name }) => !this.acknowledged.has(name));
  }

  acknowledge({ name, size }: Order, receipts: readonly DecisionReceipt[]): void {
    const before = this.acknowledged.get(name);
    if (receipts.length !== size) this.contradictions.push(`${name}: ${receipts.length} receipts`);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(receipts)) {
      this.contradictions.push(`${name}: answered twice, differently`);
    }
    this.acknowledged.set(name, receipts);
  }
}

/**
 * Orders of every kind, determined by `n`: one in two is a batch, two in three have a key, and half of
 * the batches with a key have one for each decision instead.
 */
export function orderOf(prefix: string, n: number): Order {
  const name = `${prefix}-${n}`;
  const batch = n % 2 === 1;
  const key = n % 3 === 0 ? null : name;
  const keyPerDecision = n % 4 === 3 && key !== null;
  return { name, batch, size: batch ? 2 + ((n * 7) % 19) : 1, key, keyPerDecision };
}

function bodyOf({ name }: Order, place: number): DecisionBody {
  return {
    agent_id: 'load',
    action_type: name,
    inputs: { place },
    outputs: { approved: place % 2 === 0, amount: `${10 + place}.50`, currency: 'USD' },
    confidence: 0.5,
    metadata: { request: name },
  };
}

export async function send(caller: Caller, journal: Journal, order: Order): Promise<Outcome> {
  journal.sent.set(order.name, order);
  const reply = await post(caller, order);
  if (reply === null) return { kind: 'unanswered' };
  if (reply.status !== 201) return refusal(reply);
  journal.acknowledge(order, readReceipts(order, reply.body));
  return { kind: 'acknowledged', replayed: reply.headers['idempotency-replayed'] === 'true' };
}

/** Sends the first half of a batch whose decisions have keys. */
export async function sendHalf(caller: Caller, journal: Journal, order: Order): Promise<Outcome> {
  const half = { ...order, size: Math.ceil(order.size / 2) };
  const reply = await post(caller, half);
  if (reply === null) return { kind: 'unanswered' };
  if (reply.status !== 201) return refusal(reply);
  journal.halves.set(order.name, readReceipts(half, reply.body));
  return { kind: 'acknowledged', replayed: reply.headers['idempotency-replayed'] === 'true' };
}

/** Writers that each send one order after the other until `next` returns none. */
export async function runWriters(
  writers: number,
  next: (writer: number, n: number) => Promise<boolean>,
): Promise<void> {
  const write = async (writer: number) => {
    for (let n = 0; await next(writer, n); n += 1);
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
}

export interface Crowd {
  /** Prefix of the name of every order. */
  readonly name: string;
  /** Writers per caller. */
  readonly writers: number;
  /** Orders per writer. */
  readonly orders: number;
}

/** All writers send concurrently; rejects unless everything is acknowledged. */
export async function writeTogether(
  callers: readonly Caller[],
  journal: Journal,
  { name, writers, orders }: Crowd,
): Promise<void> {
  const through = (caller: Caller, index: number) =>
    runWriters(writers, async (writer, n) => {
      if (n === orders) return false;
      const outcome = await send(caller, journal, orderOf(`${name}-${index}-${writer}`, n));
      if (outcome.kind !== 'acknowledged') throw new Error(`not taken: ${JSON.stringify(outcome)}`);
      return true;
    });
  await Promise.all(callers.map(through));
}

async function post(caller: Caller, order: Order): Promise<Reply | null> {
  const { key, keyPerDecision = false } = order;
  const bodies = Array.from({ length: order.size }, (_, place) => ({
    ...bodyOf(order, place),
    ...(keyPerDecision && { idempotency_key: `${key}-${place}` }),
  }));
  const headers = key === null || keyPerDecision ? {} : { 'idempotency-key': key };
  try {
    return order.batch
      ? await caller.call('POST', '/api/v1/decisions/batch', { decisions: bodies }, headers)
      : await caller.call('POST', '/api/v1/decisions', bodies[0], headers);
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return null;
  }
}

function refusal({ status, headers, body }: Reply): Outcome {
  if (!Check(Failure, body)) throw new Error(`${status} without the envelope of an error`);
  return { kind: 'refused', status, retryAfter: headers['retry-after'] ?? null };
}

function readReceipts({ batch }: Order, body: unknown): readonly DecisionReceipt[] {
  if (batch && Check(success(DecisionBatchReceipt), body)) {
    return body.data.decisions.map(({ replayed: _replayed, ...receipt }) => receipt);
  }
  if (!batch && Check(success(DecisionReceipt), body)) return [body.data];
  throw new Error(`201 without receipts: ${JSON.stringify(body)}`);
}

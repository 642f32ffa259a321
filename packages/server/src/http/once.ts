import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lockHead } from '../platform/chain/head.js';
import type { Database } from '../platform/database.js';
import {
  findFirstAnswers,
  type IdempotencyMark,
  idempotencyConflict,
  keepFirstAnswer,
} from '../platform/idempotency.js';
import type { LedgerWriter } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import { callerOf, type Envelope, type Wrap } from './envelope.js';
import { markReplay, readIdempotencyMark } from './request-headers.js';

export interface Answered<Answer> {
  readonly answer: Answer;
  /** Whether this is the stored answer of an earlier request. */
  readonly replayed: boolean;
}

export interface Once<Answer> {
  /** Parses a stored answer. */
  readonly read: (value: JsonValue) => Answer;
  readonly make: () => Promise<Answer & JsonValue>;
}

/**
 * Makes a change at most once per Idempotency-Key; a repeat gets the first answer.
 * @throws LedgerError `idempotency_conflict` if the key was used with a different request
 */
export async function answerOnce<Answer>(
  tx: LedgerWriter,
  mark: IdempotencyMark | null,
  { read, make }: Once<Answer>,
): Promise<Answered<Answer>> {
  if (mark === null) return { answer: await make(), replayed: false };
  const head = await lockHead(tx, 'activity');
  const earlier = (await findFirstAnswers(tx, [mark.key])).get(mark.key);
  if (earlier === undefined) {
    const answer = await make();
    const response = canonicalJson(answer);
    await keepFirstAnswer(tx, { ...mark, response }, head.now);
    return { answer, replayed: false };
  }
  if (earlier.request !== mark.request) throw idempotencyConflict();
  return { answer: read(parseJson(earlier.response)), replayed: true };
}

export interface CreationTools {
  readonly db: Database;
  readonly idempotencyKey: Buffer;
  readonly wrap: Wrap;
}

/** A request that creates something. */
export interface Creating {
  readonly request: FastifyRequest & { readonly body: JsonValue };
  readonly reply: Pick<FastifyReply, 'header' | 'code'>;
}

export interface Creation<Answer> {
  /** Parses a stored answer. */
  readonly read: (value: JsonValue) => Answer;
  readonly make: (tx: LedgerWriter, principal: Principal) => Promise<Answer & JsonValue>;
  /** 202 if the resource is created later. */
  readonly status: 201 | 202;
}

/**
 * Answers a request that creates something; a repeat gets the first answer.
 * @throws LedgerError `idempotency_conflict` if the key was used with a different request
 */
export async function createOnce<Answer>(
  { db, idempotencyKey, wrap }: CreationTools,
  { request, reply }: Creating,
  { read, make, status }: Creation<Answer>,
): Promise<Envelope<Answer>> {
  const principal = callerOf(request);
  const mark = readIdempotencyMark(idempotencyKey, request, request.body);
  const { answer, replayed } = await db
    .ledger(principal.scope)
    .write((tx) => answerOnce(tx, mark, { read, make: () => make(tx, principal) }));
  markReplay(reply, replayed).code(status);
  return wrap(request, answer);
}

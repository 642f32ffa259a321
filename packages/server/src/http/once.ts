import { canonicalJson } from '@decision-ledger/proof/canonical';
import { type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { lockHead } from '../platform/chain/lock-head.js';
import type { Queryable } from '../platform/database.js';
import {
  findFirstAnswers,
  type IdempotencyMark,
  idempotencyConflict,
  keepFirstAnswer,
} from '../platform/idempotency.js';
import type { Scope } from '../platform/scope.js';

export interface Answered<Answer> {
  readonly answer: Answer;
  /** The answer was given before, and nothing was done now. */
  readonly replayed: boolean;
}

/**
 * Makes a change at most once for an Idempotency-Key; a repeat has the first answer again.
 * @param read takes a kept answer as what it was
 * @throws LedgerError `idempotency_conflict` when the key came with another request
 */
export async function answerOnce<Answer extends JsonValue>(
  tx: Queryable,
  scope: Scope,
  mark: IdempotencyMark | null,
  read: (value: JsonValue) => Answer,
  make: () => Promise<Answer>,
): Promise<Answered<Answer>> {
  if (mark === null) return { answer: await make(), replayed: false };
  const head = await lockHead(tx, scope, 'activity');
  const earlier = (await findFirstAnswers(tx, scope, [mark.key])).get(mark.key);
  if (earlier === undefined) {
    const answer = await make();
    const response = canonicalJson(answer);
    await keepFirstAnswer(tx, scope, { ...mark, response }, head.now);
    return { answer, replayed: false };
  }
  if (earlier.request !== mark.request) throw idempotencyConflict();
  return { answer: read(parseJson(earlier.response)), replayed: true };
}

import { LedgerError } from '@decision-ledger/contract/errors';
import type { IssuedKey, KeyBody } from '@decision-ledger/contract/key';
import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Transaction } from '../../../platform/database.js';
import {
  type FirstAnswer,
  findFirstAnswers,
  type IdempotencyMark,
  idempotencyConflict,
  keepFirstAnswer,
} from '../../../platform/idempotency.js';
import type { Principal } from '../../../platform/principal.js';
import { issueKey, type KeyTools } from './issue.js';

/**
 * Issues a key at most once for an Idempotency-Key. The first answer contained a secret that is not
 * stored, so a repeat cannot return it: its error names the key that was issued.
 * @throws LedgerError `idempotency_conflict` for a repeat, and the errors of issueKey
 */
export async function issueKeyOnce(
  tools: KeyTools,
  tx: Transaction,
  principal: Principal,
  body: KeyBody,
  mark: IdempotencyMark | null,
): Promise<IssuedKey> {
  if (mark === null) return issueKey(tools, tx, principal, body);
  await lockHead(tx, principal.scope, 'activity');
  const earlier = (await findFirstAnswers(tx, principal.scope, [mark.key])).get(mark.key);
  if (earlier !== undefined) throw conflict(earlier, mark);
  const issued = await issueKey(tools, tx, principal, body);
  const answer = { ...mark, response: issued.key_id };
  await keepFirstAnswer(tx, principal.scope, answer, tools.clock.now());
  return issued;
}

function conflict({ request, response }: FirstAnswer, mark: IdempotencyMark): LedgerError {
  if (request !== mark.request) return idempotencyConflict();
  return new LedgerError(
    'idempotency_conflict',
    `this Idempotency-Key was used before (${response}); a secret is never shown twice: ` +
      'revoke that key and ask for a new one under a new Idempotency-Key',
  );
}

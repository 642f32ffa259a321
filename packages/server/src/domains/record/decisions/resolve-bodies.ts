import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type ResolvedBody, resolveUploads } from '../uploads/index.js';

/**
 * Decisions that are recorded as a whole or not at all, with what was uploaded in the place of the fields that name it.
 * @param path of each body in the request, for error messages
 * @throws LedgerError `validation_error`
 */
export async function resolveBodies<Body extends DecisionBody>(
  ledger: LedgerReader,
  bodies: readonly Body[],
  path: (index: number) => string,
): Promise<readonly ResolvedBody<Body>[]> {
  return (await resolveUploads(ledger, bodies, path)).map((resolved) => {
    if (resolved instanceof LedgerError) throw resolved;
    return resolved;
  });
}

import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { reasonOf, refusedForNow, sqlState } from './failures.js';

/** The connection was lost during COMMIT, so the outcome is unknown and must be looked up. */
export class CommitUnknownError extends LedgerError {
  constructor(cause: unknown) {
    super('unavailable', 'the database connection was lost: the change may have taken place', {
      headers: { 'retry-after': '1' },
      cause,
    });
  }
}

const CONNECTION_LOSS = /^(08|57P0)/;

/** What Citus says at COMMIT of a node that is lost, and that may have committed. */
const NODE_LOSS = /^could not commit transaction for shard /;

/** Network errors only: file system errors in a transaction do not affect its connection. */
const NETWORK_LOSS = /^E(CONN[A-Z]+|PIPE|TIMEDOUT|HOST[A-Z]+|NET[A-Z]+|NOTCONN|SHUTDOWN)$/;

export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  const state = sqlState(error);
  if (state !== undefined) return CONNECTION_LOSS.test(state) || NODE_LOSS.test(reasonOf(error));
  if (!(error instanceof Error)) return false;
  if (error.cause instanceof Error && isConnectionLoss(error.cause)) return true;
  return (
    ('code' in error && typeof error.code === 'string' && NETWORK_LOSS.test(error.code)) ||
    /connection (terminated|ended)|not queryable|client was closed/i.test(error.message)
  );
}

/** Maps temporary errors (lost connections, lock waits) and damage to `unavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof LedgerError) return error;
  if (isConnectionLoss(error)) {
    return refusedForNow(error) ?? unavailable('the database connection was lost', 1, error);
  }
  return refusedForNow(error) ?? error;
}

import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import pg from 'pg';
import { refusedForNow } from './failures.js';

/** The connection was lost during COMMIT, so the outcome is unknown and must be looked up. */
export class CommitUnknownError extends LedgerError {
  constructor(cause: unknown) {
    super('unavailable', 'the database connection was lost: the change may have taken place', {
      headers: { 'retry-after': '1' },
      cause,
    });
  }
}

const CONNECTION_STATE = /^(08|57P0)/;

/**
 * What Citus says of a server that it loses, without a state of its own: of a node, in its words and in those of libpq, and of
 * the coordinator, whose processes outlive their parent for a moment.
 */
const SERVER_LOSS = new RegExp(
  [
    'could not commit transaction for shard ',
    'failure on connection marked as essential: ',
    'failed to prepare transaction ',
    'execution cannot recover from multiple connection failures',
    'cannot connect to .* to fetch intermediate results',
    'postmaster was shut down',
    'server closed the connection unexpectedly',
    'could not (receive|send) data (from|to) server',
    'no connection to the server',
  ].join('|'),
);
const INTERNAL_ERROR = 'XX000';

/** Network errors only: file system errors in a transaction do not affect its connection. */
const NETWORK_LOSS = /^E(CONN[A-Z]+|PIPE|TIMEDOUT|HOST[A-Z]+|NET[A-Z]+|NOTCONN|SHUTDOWN)$/;

/** Whether a connection was lost on the way to the rows: that to the server, or one from there to a node. */
export function isConnectionLoss(error: unknown): boolean {
  return lossIn(error) !== 'none';
}

/** Whether the connection to the server itself can no longer be used. */
export function isOwnConnectionLoss(error: unknown): boolean {
  return lossIn(error) === 'own';
}

type Loss = 'none' | 'own' | 'node';

function lossIn(error: unknown): Loss {
  if (error instanceof pg.DatabaseError) return lossSaidBy(error);
  if (!(error instanceof Error)) return 'none';
  if (error.cause instanceof Error) {
    const loss = lossIn(error.cause);
    if (loss !== 'none') return loss;
  }
  const isNetwork =
    'code' in error && typeof error.code === 'string' && NETWORK_LOSS.test(error.code);
  const isEnded = /connection (terminated|ended)|not queryable|client was closed/i;
  return isNetwork || isEnded.test(error.message) ? 'own' : 'none';
}

/** A server that ends its connection calls that fatal. With any other error, it goes on. */
function lossSaidBy({ code = '', severity, message }: pg.DatabaseError): Loss {
  const isLoss = code === INTERNAL_ERROR ? SERVER_LOSS.test(message) : CONNECTION_STATE.test(code);
  if (!isLoss) return 'none';
  return severity === 'ERROR' ? 'node' : 'own';
}

/** Maps temporary errors (lost connections, lock waits) and damage to `unavailable`. */
export function translate(error: unknown): unknown {
  if (error instanceof LedgerError) return error;
  if (isConnectionLoss(error)) {
    return refusedForNow(error) ?? unavailable('the database connection was lost', 1, error);
  }
  return refusedForNow(error) ?? error;
}

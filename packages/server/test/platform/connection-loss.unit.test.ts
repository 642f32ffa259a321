import { unavailable } from '@decision-ledger/contract/errors';
import pg from 'pg';
import { expect, it } from 'vitest';
import {
  CommitUnknownError,
  isConnectionLoss,
  isOwnConnectionLoss,
  translate,
} from '#server/platform/connection-loss';

type Severity = 'ERROR' | 'FATAL';

function answered(severity: Severity, code: string, message: string): pg.DatabaseError {
  const error = new pg.DatabaseError(message, message.length, 'error');
  return Object.assign(error, { severity, code });
}

const failed = (message: string, code?: string) => Object.assign(new Error(message), { code });

/** The connection to the server has ended, or ends. */
const OWN = [
  answered('FATAL', '57P01', 'terminating connection due to unexpected postmaster exit'),
  answered('FATAL', '57P03', 'the database system is not yet accepting connections'),
  answered('FATAL', '08P01', 'server conn crashed?'),
  failed('read ECONNRESET', 'ECONNRESET'),
  failed('Connection terminated unexpectedly'),
  failed('Client has encountered a connection error and is not queryable'),
];

/** The server goes on, and has lost a node. */
const OF_NODE = [
  answered('ERROR', '08006', 'connection to the remote node ledger_app@10.0.0.2:5432 failed'),
  answered('ERROR', '57P01', 'terminating connection due to administrator command'),
  answered('ERROR', 'XX000', 'could not commit transaction for shard 102008 on at least one node'),
  answered('ERROR', 'XX000', 'failure on connection marked as essential: 10.0.0.2:5432'),
  answered('ERROR', 'XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.2:5432"),
  answered('ERROR', 'XX000', 'postmaster was shut down, exiting'),
  answered('ERROR', 'XX000', 'server closed the connection unexpectedly'),
  answered('ERROR', 'XX000', 'could not receive data from server: Connection reset by peer'),
];

const DECIDED = [
  answered('ERROR', 'XX000', 'unexpected chunk number 0'),
  answered('ERROR', '23505', 'duplicate key value violates unique constraint "decisions_pkey"'),
  answered('ERROR', '23514', 'no connection to the server'),
  failed('the file cannot be read', 'EISDIR'),
];

it.for(OWN)('The connection cannot be used after "$message"', (error) => {
  expect(isOwnConnectionLoss(error)).toBe(true);
  expect(isConnectionLoss(error)).toBe(true);
});

it.for(OF_NODE)(
  'The connection can be used after "$message", which says that a node is lost',
  (error) => {
    expect(isOwnConnectionLoss(error)).toBe(false);
    expect(isConnectionLoss(error)).toBe(true);
  },
);

it.for(DECIDED)('The server has decided with "$message"', (error) => {
  expect(isConnectionLoss(error)).toBe(false);
  expect(translate(error)).toBe(error);
});

it.for([...OWN, ...OF_NODE])('"$message" is answered 503 with a time to try again', (error) => {
  expect(translate(error)).toMatchObject({
    code: 'unavailable',
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
  });
});

it('What a translated error was caused by decides about the connection', () => {
  const [own, node] = [OWN[0], OF_NODE[0]];
  for (const wrapped of [unavailable('away', 1, own), new CommitUnknownError(own)]) {
    expect(isOwnConnectionLoss(wrapped)).toBe(true);
  }
  for (const wrapped of [unavailable('away', 1, node), new CommitUnknownError(node)]) {
    expect(isOwnConnectionLoss(wrapped)).toBe(false);
    expect(isConnectionLoss(wrapped)).toBe(true);
  }
});

import pg from 'pg';
import { expect, it } from 'vitest';
import { isConnectionLoss } from '#server/platform/connection-loss';

function answered(code: string, message: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

it.for([
  ['57P01', 'terminating connection due to administrator command'],
  ['08006', 'connection to the remote node 10.0.0.2:5432 failed'],
  ['XX000', 'could not commit transaction for shard 102008 on at least one active node'],
])('Whether a transaction took place is unknown after %s: %s', ([code = '', message = '']) => {
  expect(isConnectionLoss(answered(code, message))).toBe(true);
});

it.for([
  ['XX000', 'unexpected chunk number 0'],
  ['23505', 'duplicate key value violates unique constraint "decisions_pkey"'],
])('The server has decided with %s: %s', ([code = '', message = '']) => {
  expect(isConnectionLoss(answered(code, message))).toBe(false);
});

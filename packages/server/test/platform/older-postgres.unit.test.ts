import { refuseOlder } from '@decision-ledger/server/platform/migrate';
import { expect, test } from 'vitest';

const PLACE = { host: 'db.example.com', port: 5432 };

test('a server older than PostgreSQL 15 is refused by its version and place', () => {
  expect(() => refuseOlder(140_012, PLACE)).toThrow(
    /15 or newer is required, but the server at db\.example\.com:5432 is 14\.12: upgrade it/,
  );
  expect(() => refuseOlder(150_000, PLACE)).not.toThrow();
});

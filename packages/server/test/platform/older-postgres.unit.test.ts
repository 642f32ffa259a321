import { expect, test } from 'vitest';
import { refuseOlder } from '#server/platform/migrate';

const PLACE = { host: 'db.example.com', port: 5432 };

test('A server older than PostgreSQL 15 is refused with its version and address', () => {
  expect(() => refuseOlder(140_012, PLACE)).toThrow(
    /15 or newer is required, but the server at db\.example\.com:5432 is 14\.12: upgrade it/,
  );
  expect(() => refuseOlder(150_000, PLACE)).not.toThrow();
});

import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pruneAnnouncements } from '#server/domains/log/announcements/announcements';
import { withdrawAnnouncements } from '#server/domains/log/announcements/index';
import type { Transaction } from '#server/platform/ledger';
import { databaseWith, transactionWith } from '../support/own-database.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** Records the statements on announcements and runs them. */
function noting(notes: string[], tx: Transaction): Transaction {
  return transactionWith(tx, (statement) => {
    if (/from announcement_heads .* for update/.test(statement.text)) notes.push('lock');
    if (/delete from announcements/.test(statement.text)) notes.push('delete');
    return tx.query(statement);
  });
}

it('Deleting announcements locks their head first, so that two deletions never deadlock', async () => {
  const scope = await scopeOf(bed, (await bed.organisation()).live);
  const { db, installation, clock } = bed.service;
  await db.query(sql`
    insert into announcements (ledger_id, seq, type, subject, data, created_at)
    select ${scope.ledgerId}, n, 'test', 'subject', '{}', to_timestamp(0)
    from generate_series(1, 5) n`);
  const withdrawing: string[] = [];
  await db.transaction((tx) =>
    withdrawAnnouncements(noting(withdrawing, tx).ledger(scope), 'other'),
  );
  const pruning: string[] = [];
  const noted = databaseWith(db, {
    transaction: (work) => db.transaction((tx) => work(noting(pruning, tx))),
  });
  await pruneAnnouncements({ installation, clock, db: noted });
  expect({ withdrawing, pruning }).toEqual({
    withdrawing: ['lock', 'delete'],
    pruning: ['lock', 'delete'],
  });
});

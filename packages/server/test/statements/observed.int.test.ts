import { runInThisContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Queryable, Statement } from '#server/platform/statement';
import { decision } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';
import { findings } from './observed.js';

let bed: TestService;
beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** Sends a statement from a place in the sources of the service. */
const sendFromSource: (db: Queryable, statement: Statement) => Promise<object[]> = runInThisContext(
  'async (db, statement) => { return await db.query(statement); }',
  { filename: '/packages/server/dist/domains/record/links/store/made-up.js' },
);
const unrestricted = sql`select link_id from links where link_id is null`;

it('A statement of the service that does not name its ledger is found, each time that it is sent', async () => {
  for (const db of [bed.service.db, bed.service.db]) await sendFromSource(db, unrestricted);
  await bed.service.db.transaction((tx) => sendFromSource(tx, unrestricted));
  const found = findings.splice(0);
  expect(found).toHaveLength(3);
  expect(found[0]).toContain(
    'links: its rows may be of any ledger, in the statement\nselect link_id',
  );
});

it('What a test sends is not, and neither is what Installation sends', async () => {
  await bed.service.db.query(unrestricted);
  await bed.service.db.transaction((tx) => tx.query(unrestricted));
  await bed.service.installation.queryAcross(unrestricted);
  expect(findings).toEqual([]);
});

it('What a thread of the service sends is checked as well', async () => {
  const { live } = await bed.organisation();
  await live.post('/decisions', decision());
  const channel = new BroadcastChannel('statements');
  const told: unknown[] = [];
  channel.onmessage = (message: unknown) => {
    if (message instanceof MessageEvent) told.push(message.data);
  };
  expect(await live.get('/decisions/chain/verify')).toMatchObject({ status: 200 });
  const walk = expect.stringMatching(/prev_hash[\s\S]*from decisions/);
  await expect.poll(() => told).toContainEqual(walk);
  channel.postMessage(unrestricted.text);
  await expect.poll(() => findings.splice(0)).toHaveLength(1);
  channel.close();
});

import { Pnl } from '@decision-ledger/contract/analytics';
import { Movement } from '@decision-ledger/contract/financial-event';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { ownerLogin } from '#server/platform/connection';
import { openDatabase } from '#server/platform/database';
import { dataOf } from '../../support/client.js';
import { link, recordDecision, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';
import { withOwner } from '../../support/stored-jobs.js';
import { eventsOf } from '../../support/webhooks.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it.each([
  ['every report counts by itself', 'lead_id = event_id'],
  [
    'a witness counts instead of the lead',
    'lead_id = (select max(w.event_id::text)::uuid from financial_events w where w.ledger_id = e.ledger_id)',
  ],
])('A rebuild makes movements again from their records after %s', async (_about, damage) => {
  const client = (await bed.organisation()).live;
  const scope = await scopeOf(bed, client);
  const charge = (await recordEvent(client, { source: 'stripe', amount: '20.00' })).id;
  const booking = (await recordEvent(client, { source: 'accounting/a', amount: '19.00' })).id;
  const parted = (await recordEvent(client, { source: 'shop', amount: '20.50' })).id;
  const strength = { correlation_strength: 1 };
  await client.post('/links', link(await recordDecision(client), booking, strength));
  const pair = (reports: readonly string[]) => client.post('/movements/pair', { reports });
  dataOf(await pair([charge, booking]), Movement);
  dataOf(await pair([charge, parted]), Movement);
  dataOf(await client.post('/movements/part', { report: parted }), Movement);
  const seen = async () => {
    const { total, confirmed } = dataOf(await client.get('/analytics/ai-pnl'), Pnl);
    const events = await eventsOf(client);
    return { total, confirmed, movements: events.map(({ id, movement }) => [id, movement]) };
  };
  const before = await seen();
  expect(before.total).toBe('40.50');
  await withOwner(bed, (owner) =>
    owner.query(
      `begin; set local session_replication_role = replica;
      update financial_events e set ${damage} where ledger_id = '${scope.ledgerId}'; commit`,
    ),
  );
  const own = bed.service.db.ledger(scope);
  const { findings } = await reconcileWithHistory(own);
  expect(findings.map(({ column }) => column)).toContain('lead_id');
  const db = openDatabase({
    ...{ ...ownerLogin(bed.service.storage.address), maxConnections: 1 },
    context: bed.service.db.context,
  });
  const { damage: left } = await rebuildLedger(db.ledger(scope), PROJECTIONS, () => undefined);
  await db.close();
  expect(left).toEqual([]);
  expect(await seen()).toEqual(before);
  expect((await reconcileWithHistory(own)).findings).toEqual([]);
});

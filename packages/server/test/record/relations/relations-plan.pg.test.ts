import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectNamingLeads } from '#server/domains/record/financial-events/store/relations';
import { explained } from '../../support/explained.js';
import { describePostgres } from '../../support/postgres.js';
import { openTestService, type TestService } from '../../support/service.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';

const EVENTS = 2000;
const NAMED = 100;

describePostgres('Reports that name a payment, without statistics of the tables', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('postgres');
    desk = await openDesk(test);
    await test.service.db.query(sql`
      with recorded as (
        insert into financial_events (ledger_id, event_id, lead_id, source, event_type, amount,
          counted_amount, currency, "timestamp", created_at, external_id, metadata)
        select ${desk.scope.ledgerId}, id, id, 'shop', 'refund', -10, -10, 'USD',
          ${at(0)}::timestamptz + n * interval '1 minute', ${at(0)}, 're_' || n,
          '{"reverses":"pay_' || n || '"}'
        from (select n, gen_random_uuid() as id from generate_series(1, ${EVENTS}) n) numbered
        returning event_id
      )
      insert into due_work (ledger_id, follower, subject)
      select ${desk.scope.ledgerId}, 'other', event_id from recorded`);
  });
  afterAll(() => test.close());

  it('They are found by the index of values, and no other event is read', async () => {
    const names = Array.from({ length: NAMED }, (_, n) => ({
      source: 'shop',
      reference: `pay_${n}`,
    }));
    const ask = (ledger: Parameters<typeof selectNamingLeads>[0]) =>
      selectNamingLeads(ledger, names, EVENTS);
    const plan = await explained(test, desk.scope, ask, '(analyze, timing off)');
    expect(plan).toContain('financial_events_by_value');
    const read = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...read)).toBeLessThanOrEqual(NAMED);
    expect(plan).not.toContain('Rows Removed by Filter');
  });
});

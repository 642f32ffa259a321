import { ExposureAnalysis, MAX_GROUPS, Pnl } from '@decision-ledger/contract/analytics';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dataOf } from '../support/client.js';
import { recordLink } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it('A profit and loss names the agents that moved most, and counts all of them', async () => {
  const { live } = await bed.organisation();
  const { id } = await recordLink(live, { correlation_strength: 1 });
  // As many links as agents, all copied from the first one.
  const made = await bed.service.db.query<{ ledger_id: string }>(sql`
    with one as (
      select a.* from link_allocations a
      order by a.link_id desc limit 1
    ), copies as (
      insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
        attribution_method, status, created_by, created_at)
      select l.ledger_id, gen_random_uuid(), l.decision_id, l.event_id, 0, 'many ' || n, 'manual',
        'CONFIRMED', 'test', l.created_at
      from links l join one using (ledger_id, link_id), generate_series(1, ${MAX_GROUPS + 99}::integer) n
      returning ledger_id, link_id, substr(link_type, 6)::integer as n
    )
    insert into link_allocations (ledger_id, link_id, event_id, decision_seq, agent_id, action_type,
      "timestamp", link_type, label, currency, share, amount)
    select ledger_id, c.link_id, o.event_id, o.decision_seq, 'agent ' || c.n, 'type ' || c.n,
      o."timestamp", 'revenue', 'confirmed', 'USD', 1, c.n
    from copies c join one o using (ledger_id) returning ledger_id`);
  expect(id).toMatch(/^lnk_/);
  expect(made).toHaveLength(MAX_GROUPS + 99);
  const pnl = dataOf(await live.get('/analytics/ai-pnl'), Pnl);
  for (const groups of [pnl.by_agent, pnl.by_action_type]) {
    expect(groups).toHaveLength(MAX_GROUPS);
    const least = Math.min(...groups.map(({ expected }) => Number(expected.net)));
    expect(least).toBe(101);
  }
  const all = ((MAX_GROUPS + 99) * (MAX_GROUPS + 100)) / 2;
  expect(Number(pnl.net_ai_impact)).toBe(all + 1250);
  const { by_action_type } = dataOf(await live.get('/analytics/liability'), ExposureAnalysis);
  expect(by_action_type.length).toBeLessThanOrEqual(MAX_GROUPS);
});

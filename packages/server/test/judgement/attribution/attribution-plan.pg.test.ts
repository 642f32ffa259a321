import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insertWaitingNaming } from '#server/domains/judgement/attribution/store/events-to-score';
import {
  selectCandidates,
  selectLinkedCandidates,
} from '#server/domains/judgement/attribution/store/select-candidates';
import { ownerLogin } from '#server/platform/connection';
import { type Ask, explained } from '../../support/explained.js';
import { describePostgres } from '../../support/postgres.js';
import { openTestService, type TestService } from '../../support/service.js';
import { withClient } from '../../support/stored-chain.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';

const ALL = 20_000;
const DAY_MS = 86_400_000;

describePostgres('Candidate search among 20,000 decisions', () => {
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('postgres');
    desk = await openDesk(test);
    await test.service.db.query(sql`
      insert into decision_features (ledger_id, seq, decision_id, agent_id, action_type,
        "timestamp", says_it_failed, tokens, features)
      select ${desk.scope.ledgerId}, n, gen_random_uuid(), 'agent', 'refund',
        ${at(0)}::timestamptz + n * interval '1 minute', false,
        array[n % 50, 100000 + n % 4000], '\\x000000000000000000000000'
      from generate_series(1, ${ALL}) n`);
    await test.service.db.query(sql`
      insert into decision_tokens (ledger_id, token, "timestamp", seq)
      select ${desk.scope.ledgerId}, token, ${at(0)}::timestamptz + n * interval '1 minute', n
      from generate_series(1, ${ALL}) n, unnest(array[1000 + n, 7]) as token`);
    await test.service.db.query(sql`
      insert into event_tokens (ledger_id, token, "timestamp", event_id)
      select ${desk.scope.ledgerId}, token, ${at(0)}::timestamptz + n * interval '1 minute',
        gen_random_uuid()
      from generate_series(1, ${ALL}) n, unnest(array[1000 + n, 7]) as token`);
    const { address } = test.service.storage;
    await withClient(ownerLogin(address).client, (client) => client.query('analyze'));
  });
  afterAll(() => test.close());

  const planOf = (ask: Ask, options = '') => explained(test, desk.scope, ask, options);

  const searching =
    (ids: readonly number[], values: readonly number[], amounts: readonly number[]): Ask =>
    (listening) => {
      const to = Date.parse(at(300));
      const idsFrom = to - 400 * DAY_MS;
      const valuesFrom = to - 15 * DAY_MS;
      const search = { ids, values, amounts, idsFrom, idsTo: to, valuesFrom, to, alsoSeq: null };
      return selectCandidates(listening, search);
    };

  it('The search reads shared values, the amount and identifiers by their indexes and near decisions by time', async () => {
    const plan = await planOf(searching([6000, 7], [101_500, 100_999], [103_000]));
    expect(plan.split('Bitmap Index Scan on decision_features_by_token')).toHaveLength(3);
    expect(plan).toContain('decision_tokens_pkey');
    expect(plan).toContain('Index Scan using decision_features_by_time');
    expect(plan).not.toContain('Seq Scan');
  });

  it('Of an identifier that every decision holds, only the latest 200 holders are read', async () => {
    const plan = await planOf(searching([7], [], []), '(analyze, timing off)');
    const scans = plan.split('\n').filter((line) => line.includes('decision_tokens_pkey'));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan).toMatch(/actual rows=200(?:\.00)? /);
  });

  it('Of a link that every decision holds, only the latest 16 holders are read', async () => {
    const to = Date.parse(at(300));
    const search = { links: [7], from: to - 400 * DAY_MS, to };
    const ask: Ask = (listening) => selectLinkedCandidates(listening, search);
    const plan = await planOf(ask, '(analyze, timing off)');
    const scans = plan.split('\n').filter((line) => line.includes('decision_tokens_pkey'));
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) expect(scan).toMatch(/actual rows=16(?:\.00)? /);
    expect(plan).not.toContain('Seq Scan');
  });

  it('A new decision finds the next 50 events of its identifier by their index', async () => {
    const held = [{ token: 7, from: Date.parse(at(1)), to: Date.parse(at(400 * 24)) }];
    const plan = await planOf((listening) => insertWaitingNaming(listening, held));
    expect(plan).toContain('event_tokens_pkey');
    expect(plan).not.toContain('Seq Scan on event_tokens');
  });
});

describePostgres('Events that a decision may have caused, without statistics of the tables', () => {
  const EVENTS = 2000;
  const NAMED = 100;
  let test: TestService;
  let desk: Desk;

  beforeAll(async () => {
    test = await openTestService('postgres');
    desk = await openDesk(test);
    const { ledgerId } = desk.scope;
    await test.service.db.query(sql`
      with recorded as (
        insert into financial_events (ledger_id, event_id, lead_id, source, event_type, amount,
          counted_amount, currency, "timestamp", created_at)
        select ${ledgerId}, id, id, 'shop', 'payment', 10, 10, 'USD',
          ${at(0)}::timestamptz + n * interval '1 minute', ${at(0)}
        from (select n, gen_random_uuid() as id from generate_series(1, ${EVENTS}) n) numbered
        returning event_id
      ), due as (
        insert into due_work (ledger_id, follower, subject) select ${ledgerId}, 'other', event_id from recorded
      )
      insert into event_tokens (ledger_id, token, "timestamp", event_id)
      select ${ledgerId}, row_number() over (), ${at(1)}, event_id from recorded limit ${NAMED / 2}`);
  });
  afterAll(() => test.close());

  it('Each identifier is looked up once, and each event that is named', async () => {
    const [from, to] = [Date.parse(at(0)), Date.parse(at(24))];
    const held = Array.from({ length: NAMED }, (_, n) => ({ token: n + 1, from, to }));
    const ask: Ask = (listening) => insertWaitingNaming(listening, held);
    const plan = await explained(test, desk.scope, ask, '(analyze, timing off)');
    const loops = [...plan.matchAll(/loops=(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...loops)).toBe(NAMED);
    const read = [...plan.matchAll(/actual rows=(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...read)).toBeLessThanOrEqual(NAMED);
  });
});

import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { selectCandidates } from '#server/domains/judgement/attribution/store/select-candidates';
import { ownerClient } from '#server/platform/address';
import type { Statement } from '#server/platform/database';
import { describePostgres } from '../../support/postgres.js';
import { openTestService, type TestService } from '../../support/service.js';
import { withClient } from '../../support/stored-chain.js';
import { at, type Desk, openDesk } from '../../support/suggestions-desk.js';

const ALL = 20_000;

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
        array[n % 50, 1000 + n, 100000 + n % 4000], '\\x000000000000000000000000'
      from generate_series(1, ${ALL}) n`);
    const { address } = test.service.storage;
    await withClient(ownerClient(address), (client) => client.query('analyze decision_features'));
  });
  afterAll(() => test.close());

  async function planOf(tokens: readonly number[]): Promise<string> {
    const asked: Statement[] = [];
    const listening = {
      async query<Row extends object>(statement: Statement): Promise<Row[]> {
        asked.push(statement);
        return [];
      },
    };
    const to = Date.parse(at(300));
    const span = { from: to - 5 * 72 * 3_600_000, to };
    await selectCandidates(listening, desk.scope, tokens, span);
    const [statement] = asked;
    if (statement === undefined) return expect.unreachable('nothing was asked');
    const { text, values } = statement;
    const rows = await test.service.db.query<{ 'QUERY PLAN': string }>({
      text: `explain ${text}`,
      values,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  it('The search reads shared values by the value index and near decisions by the time index', async () => {
    const plan = await planOf([6000, 101_500, 15_999]);
    expect(plan).toContain('Bitmap Index Scan on decision_features_by_token');
    expect(plan).toContain('Index Scan using decision_features_by_time');
    expect(plan).not.toContain('Seq Scan');
  });
});

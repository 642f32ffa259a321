import pg from 'pg';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#server/platform/migrate';
import type { Answer, Client } from '../support/client.js';
import { followLogs } from '../support/followers.js';
import { addressOf, createDatabase, describePostgres } from '../support/postgres.js';
import { type Instance, openTestService, type TestService } from '../support/service.js';

/** What an operator may have set for all databases of a server. */
const DEFAULTS = {
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  timezone: 'America/New_York',
  datestyle: 'German',
  intervalstyle: 'iso_8601',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  synchronous_commit: 'off',
  search_path: 'nowhere',
};
const WRITERS = 60;

describePostgres('A database with other defaults', () => {
  let service: TestService;
  let other: Instance;
  let usual: Client;
  let client: Client;

  beforeAll(async () => {
    service = await openTestService('postgres');
    usual = (await service.organisation()).live;
    await changeDefaults(service.environment.DATABASE_URL ?? '');
    other = await service.another({ isWorker: true });
    client = other.client(usual.key);
  });
  afterAll(() => service.close());

  it('Concurrent writers are not refused', async () => {
    const requests = Array.from({ length: WRITERS }, (_, n) => [
      client.post('/decisions', {
        ...{ agent_id: `agent-${n % 5}`, action_type: 'refund', confidence: 0.123456789 },
        ...{ inputs: { order: `A-${n}` }, outputs: { refunded: true } },
      }),
      client.post('/financial-events', {
        ...{ source: 'shop', event_type: 'refund', amount: `${n}.05`, currency: 'USD' },
        ...{ timestamp: '2026-04-01T12:00:00.123Z', metadata: { order: `A-${n}` } },
      }),
    ]);
    const answers = await Promise.all(requests.flat());
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    // What follows from them does not change between two requests of the next tests.
    await followLogs(other.service);
  });

  it.each([
    ...['/decisions', '/financial-events', '/activity', '/analytics/ai-pnl', '/analytics/agents'],
    ...['/analytics/timeline', '/analytics/liability', '/settings', '/keys', '/search?q=A-7'],
  ])('GET %s answers as with the defaults of PostgreSQL', async (path) => {
    const [changed, before] = [await client.get(path), await usual.get(path)];
    expect([changed.status, contentOf(changed)]).toEqual([200, contentOf(before)]);
  });

  it('The schema is made', async () => {
    const database = await createDatabase();
    await changeDefaults(database.url);
    const { applied } = await migrate(addressOf(database.url));
    expect(applied).not.toEqual([]);
    await database.drop();
  });

  it('The chains are valid', async () => {
    for (const chain of ['decisions', 'activity']) {
      const answer = await client.get(`/${chain}/chain/verify`);
      expect(contentOf(answer)).toMatchObject({ is_valid: true, first_broken_link: null });
    }
  });
});

const Data = Type.Object({ data: Type.Unknown() });

/** Without what differs from request to request. */
function contentOf({ text }: Answer): unknown {
  return Parse(Data, JSON.parse(text)).data;
}

async function changeDefaults(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  const database = owner.escapeIdentifier(owner.database ?? '');
  for (const [name, value] of Object.entries(DEFAULTS)) {
    await owner.query(`alter database ${database} set ${name} = ${owner.escapeLiteral(value)}`);
  }
  await owner.end();
}

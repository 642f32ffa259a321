import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, dataOf, decision } from '../support/client.js';
import { recordLink } from '../support/money.js';
import { describeStandby } from '../support/postgres.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { type Instance, openTestService, scopeOf, type TestService } from '../support/service.js';
import { runCommand } from '../support/service-process.js';
import { standbyUrl, startStandby } from '../support/standby.js';
import { withClient } from '../support/stored-chain.js';
import { until } from '../support/webhooks.js';

const PATHS = [
  ...['/analytics/ai-pnl', '/analytics/ai-pnl/rows?figure=confirmed.revenue', '/analytics/agents'],
  ...['/analytics/timeline', '/analytics/liability', '/analytics/months', '/search?q=A-1'],
  ...['/analytics/experiments', '/analytics/attribution-quality'],
  ...['/analytics/attribution-model', '/analytics/liability/backtest'],
  ...['/analytics/liability/model?action_type=refund', '/analytics/liability/rows'],
];
const AWAY_MS = 5000;

describeStandby('A service with a standby', () => {
  let server: PostgresServer;
  let standby: PostgresServer;
  let bed: TestService;
  let reader: Instance;
  let usual: Client;
  let client: Client;

  beforeAll(async () => {
    server = await startPostgres();
    bed = await openTestService('postgres', { server });
    usual = (await bed.organisation()).live;
    standby = await startStandby(server, { max_standby_streaming_delay: '0' });
    reader = await readerOn(standby);
    client = reader.client(usual.key);
    for (let n = 0; n < 5; n += 1) {
      await client.post('/decisions', decision({ metadata: { order: `A-${n}` } }));
      await recordLink(client);
    }
  });
  afterAll(async () => {
    await bed.close();
    await standby.kill();
    await server.stop();
  });

  const urlOf = () => bed.environment.DATABASE_URL ?? '';
  const readerOn = (replica: PostgresServer) =>
    bed.another({ settings: { DATABASE_READ_URL: standbyUrl(urlOf(), replica) } });
  const ask = (url: string, text: string) =>
    withClient({ connectionString: url }, (connection) => connection.query(text));
  /** How often a replica was read, and how often not, since the last call. */
  const outcomesOf = async ({ service }: Instance) => {
    const metric = service.metrics.registry.getSingleMetric('ledger_replica_reads_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    metric?.reset();
    return Object.fromEntries(
      values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.outcome, value]),
    );
  };
  const verify = async (on: Client) =>
    dataOf(await on.get('/decisions/chain/verify'), DecisionChainVerification);
  const post = (on: Client, order: string) =>
    on.post('/decisions', decision({ metadata: { order } }));

  it('Analytics and searches are read there, and answer as on the primary', async () => {
    await outcomesOf(reader);
    for (const path of PATHS) {
      expect([path, contentOf(await client.get(path))]).toEqual([
        path,
        contentOf(await usual.get(path)),
      ]);
    }
    expect(await outcomesOf(reader)).toEqual({ replica: PATHS.length });
  });

  it('Every other answer comes from the primary', async () => {
    for (const path of ['/decisions', '/financial-events', '/settings', '/keys', '/activity']) {
      expect((await client.get(path)).status).toBe(200);
    }
    expect(await outcomesOf(reader)).toEqual({});
  });

  it('A verification says which server it has read', async () => {
    expect(await verify(client)).toMatchObject({ is_valid: true, read_from: 'replica' });
    expect(await verify(usual)).toMatchObject({ is_valid: true, read_from: 'primary' });
    const activity = await client.get('/activity/chain/verify');
    expect(JSON.parse(activity.text)).toMatchObject({ data: { read_from: 'replica' } });
  });

  it('A record that was acknowledged is in every answer', async () => {
    for (let n = 0; n < 30; n += 1) {
      await post(n % 2 === 0 ? client : usual, `seen-${n}`);
      expect((await client.get(`/search?q=seen-${n}`)).text).toContain('"dec_');
    }
    expect((await outcomesOf(reader)).replica).toBeGreaterThan(0);
  });

  it('A standby that is behind is passed over', async () => {
    const url = standbyUrl(urlOf(), standby);
    await ask(url, 'select pg_wal_replay_pause()');
    await post(client, 'paused');
    expect((await client.get('/search?q=paused')).text).toContain('"dec_');
    expect(await verify(client)).toMatchObject({ is_valid: true, read_from: 'primary' });
    expect(await outcomesOf(reader)).toEqual({ behind: 1 });
    await ask(url, 'select pg_wal_replay_resume()');
    await until('the standby has all', async () => (await verify(client)).read_from === 'replica');
  });

  it('Work that the standby cancels is done again on the primary', async () => {
    await ask(urlOf(), 'create table public.scratch as select generate_series(1, 1000) as n');
    const ledger = reader.service.db.ledger(await scopeOf(reader, client));
    const servers: string[] = [];
    const count = sql`select count(*)::int as n from decisions where ledger_id = ${ledger.ledgerId}`;
    const read = () =>
      reader.service.reads.run(ledger, (from, place) => {
        servers.push(place);
        return from.read(async (snapshot) => {
          const before = await snapshot.query<{ n: number }>(count);
          // The snapshot needs rows that this removes.
          if (place === 'replica') {
            await ask(urlOf(), 'delete from public.scratch');
            await ask(urlOf(), 'vacuum public.scratch');
            for (;;) await snapshot.query(sql`select pg_sleep(0.01)`);
          }
          return before;
        });
      });
    expect(await read()).toEqual(await ledger.query(count));
    expect(servers).toEqual(['replica', 'primary']);
    expect(await outcomesOf(reader)).toEqual({ failed: 1 });
    bed.clock.advance(AWAY_MS);
  });

  it('A refusal by the work itself is not repeated', async () => {
    const { status } = await client.get(
      '/analytics/ai-pnl/rows?figure=confirmed.revenue&cursor=none',
    );
    expect(status).toBe(400);
    expect((await outcomesOf(reader)).failed).toBeUndefined();
  });

  it('A standby that is away is asked again after some seconds', async () => {
    await standby.kill();
    const [path = ''] = PATHS;
    for (let n = 0; n < 5; n += 1) expect((await client.get(path)).status).toBe(200);
    expect(await outcomesOf(reader)).toEqual({ failed: 1 });
    await standby.start();
    expect((await client.get(path)).status).toBe(200);
    expect(await outcomesOf(reader)).toEqual({});
    bed.clock.advance(AWAY_MS);
    expect((await client.get(path)).status).toBe(200);
    expect(await outcomesOf(reader)).toEqual({ replica: 1 });
  });

  it('Nothing can be written there', async () => {
    const ledger = reader.service.db.ledger(await scopeOf(reader, client));
    const write = reader.service.reads.run(ledger, async (from, place) => {
      if (place === 'primary') return 'refused';
      await from.write((tx) =>
        tx.query(sql`delete from idempotency_keys where ledger_id = ${tx.ledgerId}`),
      );
      return 'written';
    });
    expect(await write).toBe('refused');
    bed.clock.advance(AWAY_MS);
  });

  it('The doctor says what the standby is', async () => {
    const { LEDGER_MASTER_KEY = '', ...environment } = bed.environment;
    const replica = { DATABASE_READ_URL: standbyUrl(urlOf(), standby) };
    const doctor = async (more: Readonly<Record<string, string>>) =>
      (await runCommand(['doctor'], { ...environment, LEDGER_MASTER_KEY, ...more })).stdout;
    expect(await doctor(replica)).toContain('a standby answers');
    expect(await doctor({ DATABASE_READ_URL: urlOf() })).toContain('is no standby');
    expect(await doctor({ DATABASE_READ_URL: server.url })).toContain('cannot be read');
  });

  it('A break that only another server has is looked for on the primary', async () => {
    const other = await startStandby(server);
    const apart = await readerOn(other);
    const url = standbyUrl(urlOf(), other);
    const away = apart.client(usual.key);
    await until('it follows', async () => (await verify(away)).read_from === 'replica');
    await ask(url, 'select pg_promote()');
    await ask(url, "update decisions set agent_id = 'somebody else' where seq = 1");
    expect(await verify(away)).toMatchObject({ is_valid: true, read_from: 'primary' });
    await other.kill();
  });

  it('A server with other records in the place of ours is passed over', async () => {
    const other = await startStandby(server);
    await ask(standbyUrl(urlOf(), other), 'select pg_promote()');
    const { DATABASE_URL, ...environment } = bed.environment;
    const apart = await readerOn(other);
    const fork = await bed.another({
      settings: { ...environment, DATABASE_URL: standbyUrl(urlOf(), other) },
    });
    const forked = fork.client(usual.key);
    for (let n = 0; n < 3; n += 1) await post(forked, `fork-${n}`);
    await post(usual, 'ours');
    const found = await apart.client(usual.key).get('/search?q=ours');
    expect(found.text).toContain('"dec_');
    expect(await outcomesOf(apart)).toEqual({ behind: 1 });
    await fork.close();
    await other.kill();
  });
});

/** Without what differs from request to request. */
function contentOf({ status, text }: { readonly status: number; readonly text: string }): string {
  const parsed: { readonly data?: unknown } = JSON.parse(text);
  return JSON.stringify([status, parsed.data]);
}

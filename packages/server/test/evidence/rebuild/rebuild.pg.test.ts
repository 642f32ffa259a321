import pg from 'pg';
import { expect, it } from 'vitest';
import { PROJECTIONS, rebuildLedger } from '#server/domains/evidence/rebuild/index';
import { ownerLogin } from '#server/platform/connection';
import { openDatabase } from '#server/platform/database';
import { decision } from '../../support/client.js';
import { followLogs } from '../../support/followers.js';
import { event } from '../../support/money.js';
import { describePostgres } from '../../support/postgres.js';
import { rebuilt } from '../../support/rebuilt.js';
import { openTestService } from '../../support/service.js';
import { derivedLedger } from './support/derived-ledger.js';

describePostgres('A rebuild on PostgreSQL, while the service runs', () => {
  it('Every answer is that of the rows before or after, and no record is lost or taken twice', async () => {
    const bed = await openTestService('postgres');
    const { client, scope } = await derivedLedger(bed);
    const login = ownerLogin(bed.service.storage.address);
    const owner = new pg.Client(login.client);
    await owner.connect();
    const db = openDatabase({ ...login, maxConnections: 1 });
    const own = db.ledger(scope);
    // Nobody writes into this month while the ledger is rebuilt.
    const route = '/analytics/ai-pnl?start=2026-04-01&end=2026-05-01';
    const read = async () => {
      const answer = await client.get(route);
      expect(answer.status, answer.text).toBe(200);
      return answer.text.replace(/"(activity|as_of)_seq":\d+|"meta":.*$/g, '');
    };
    const whole = await read();
    await owner.query('update link_allocations set amount = amount * 2 where ledger_id = $1', [
      scope.ledgerId,
    ]);
    for (const table of ['decision_tokens', 'token_frequencies', 'agent_patterns']) {
      await owner.query(`delete from ${table} where ledger_id = $1`, [scope.ledgerId]);
    }
    // Cells of other months: all that changes the answer is in one part.
    const other = "ledger_id = $1 and hour >= '2026-05-01'";
    await owner.query(`delete from exposure_cells where ${other}`, [scope.ledgerId]);
    await client.post('/keys', { name: 'k', permissions: ['read'] });
    const damaged = await read();
    expect(damaged).not.toBe(whole);

    let isDone = false;
    const seen: string[] = [];
    const reading = async () => {
      while (!isDone) seen.push(await read());
    };
    const written = { decisions: 0, events: 0 };
    const timestamp = '2026-02-01T00:00:00.000Z';
    const writing = async () => {
      while (!isDone) {
        const metadata = { order_id: `late-${written.decisions}` };
        expect((await client.post('/decisions', decision({ metadata }))).status).toBe(201);
        written.decisions += 1;
        const recorded = await client.post(
          '/financial-events',
          event({ external_id: 'late', timestamp }),
        );
        expect(recorded.status).toBe(201);
        written.events += 1;
        await followLogs(bed.service, [scope.ledgerId]);
      }
    };
    const rebuilding = async () => {
      try {
        return await rebuildLedger(own, PROJECTIONS, () => undefined);
      } finally {
        isDone = true;
      }
    };
    const [{ damage, projections }] = await Promise.all([rebuilding(), reading(), writing()]);
    expect(damage).toEqual([]);
    const made = new Map(projections.map((one) => [one.projection, one]));
    expect(made.get('allocations')?.replaced).toBeGreaterThan(0);
    expect(made.get('tokens')?.added).toBeGreaterThan(100);
    expect(made.get('token-frequencies')?.added).toBeGreaterThan(100);
    expect(made.get('exposure-cells')?.added).toBeGreaterThan(0);

    expect(new Set([...seen, whole, damaged])).toEqual(new Set([whole, damaged]));
    const firstWhole = seen.indexOf(whole);
    expect(firstWhole === -1 ? [] : seen.slice(firstWhole)).not.toContain(damaged);
    expect(await read()).toBe(whole);
    expect(Math.min(written.decisions, written.events)).toBeGreaterThan(0);
    await followLogs(bed.service, [scope.ledgerId]);
    for (const projection of PROJECTIONS) {
      const { differences } = await rebuilt(own, projection);
      expect(differences, projection.name).toEqual([]);
    }
    await db.close();
    await owner.end();
    await bed.close();
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from './support/caller.js';
import { decision } from './support/client.js';
import { embeddedConnection } from './support/embedded.js';
import { embeddedEnvironment, readKeys, startService } from './support/service-process.js';
import { withClient } from './support/stored-chain.js';
import { until } from './support/webhooks.js';

const ROUNDS = 2;
const BATCHES = 40;
const DECISIONS = BATCHES * 100;

describe('the service on the embedded engine, killed during its nightly run', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-nightly-kill-'));
  const environment = embeddedEnvironment(dataDir);
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it(`ends it all the same, and tells each change once, through ${ROUNDS} kills`, async () => {
    let service = await startService(environment);
    await withCaller(service.url, async (caller) => {
      await liftRateLimits(caller);
      const decisions = Array.from({ length: 100 }, () => decision());
      for (let n = 0; n < BATCHES; n += 1) {
        const answer = await caller.call('POST', '/api/v1/decisions/batch', { decisions });
        expect(answer.status).toBe(201);
      }
    });
    const cutAt: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await withCaller(service.url, async (caller) => {
        const liability = { response_cost: String(round * 100) };
        expect((await caller.call('PATCH', '/api/v1/settings', { liability })).status).toBe(200);
      });
      await makeDue();
      await service.kill();
      service = await startService(environment);
      await until('the run is under way', async () => (await state()).after > 0);
      await sleep((round - 1) * 60);
      await service.kill();
      service = await startService(environment);
      cutAt.push((await state()).after);
      await until('the run is complete', async () => (await state()).isComplete);
      expect(await told()).toEqual({
        all: round * DECISIONS,
        different: round * DECISIONS,
        last: round * DECISIONS,
      });
    }
    expect(await sums()).toEqual({
      decisions: DECISIONS,
      differing: 0,
      costs: [String(ROUNDS * 100)],
    });
    await service.stop();
    expect(cutAt.some((after) => after > 0 && after < DECISIONS)).toBe(true);
    console.info(`${ROUNDS} kills, after ${cutAt.join(', ')} of ${DECISIONS} decisions`);
  }, 240_000);

  async function withCaller(url: string, work: (caller: Caller) => Promise<void>): Promise<void> {
    const caller = createCaller(url, readKeys(dataDir).live);
    await work(caller);
    caller.close();
  }

  async function rows<Row>(text: string): Promise<Row[]> {
    return withClient(await embeddedConnection(dataDir), async (client) => {
      const live = `(select ledger_id from ledgers where mode = 'live')`;
      return (await client.query(text.replaceAll('$live', live))).rows;
    });
  }

  /** As it looks on the morning after. */
  const makeDue = () =>
    rows(`update liability_states set completed_day = completed_day - 1, run_day = run_day - 1
      where ledger_id = $live`);

  async function state(): Promise<{ after: number; isComplete: boolean }> {
    const [row] = await rows<{ after: number; isComplete: boolean }>(`
      select case when run_day > completed_day then run_after_seq else 0 end::int as after,
        completed_day = run_day and run_day > current_date - 2
          and run_after_seq = run_until_seq as "isComplete"
      from liability_states where ledger_id = $live`);
    if (row === undefined) throw new Error('the ledger has no state');
    return row;
  }

  async function told(): Promise<unknown> {
    const [row] = await rows(`
      select count(*)::int as all, max(seq)::int as last,
        count(distinct (data::json ->> 'decision_id', data::json ->> 'revision'))::int as different
      from announcements where ledger_id = $live`);
    return row;
  }

  async function sums(): Promise<unknown> {
    const [row] = await rows(`
      select (select sum(decisions)::int from exposure_cells where ledger_id = $live) as decisions,
        (select count(*)::int from (
          select sum(exposure), sum(stake) from exposure_cells where ledger_id = $live
          except select sum(exposure), sum(stake) from liability_estimates where ledger_id = $live
        ) d) as differing,
        (select json_agg(distinct s.settings::json ->> 'response_cost') from liability_estimates e
          join liability_snapshots s using (ledger_id, snapshot_id) where ledger_id = $live) as costs`);
    return row;
  }
});

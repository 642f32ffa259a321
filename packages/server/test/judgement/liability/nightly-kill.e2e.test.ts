import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../proof/test/support/runs.js';
import { type Caller, createCaller, liftRateLimits } from '../../support/caller.js';
import { decision } from '../../support/client.js';
import { embeddedConnection } from '../../support/embedded.js';
import { embeddedEnvironment, readKeys, startService } from '../../support/service-process.js';
import { withClient } from '../../support/stored-chain.js';
import { until } from '../../support/webhooks.js';

const ROUNDS = runs(2);
const MOST = 6;
/** The run commits after each thousand decisions, so a kill has several moments to come. */
const BATCHES = 40;
const DECISIONS = BATCHES * 100;

describe('Kills during the nightly run on the embedded engine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'decision-ledger-nightly-kill-'));
  const environment = embeddedEnvironment(dataDir);
  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('The nightly run completes through kills and announces each change once', async () => {
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
    const isCut = (after: number) => after > 0 && after < DECISIONS;
    // A run may end before it is seen: then the next round tries again.
    for (let round = 1; round <= ROUNDS || (!cutAt.some(isCut) && round <= MOST); round += 1) {
      await withCaller(service.url, async (caller) => {
        const liability = { response_cost: String(round * 100) };
        expect((await caller.call('PATCH', '/api/v1/settings', { liability })).status).toBe(200);
      });
      await makeDue();
      await service.kill();
      service = await startService(environment);
      let seen = await state();
      const isUnderWay = async () => {
        seen = await state();
        return seen.isComplete || (seen.hasBegun && seen.after > 0);
      };
      await until('the run is under way', isUnderWay, 120_000, 20);
      await service.kill();
      cutAt.push(seen.isComplete ? DECISIONS : seen.after);
      service = await startService(environment);
      await until('the run is complete', async () => (await state()).isComplete);
      const all = round * DECISIONS;
      expect(await told()).toEqual({ all, different: all, last: all });
    }
    const costs = [String(cutAt.length * 100)];
    expect(await sums()).toEqual({ decisions: DECISIONS, differing: 0, costs });
    await service.stop();
    expect(cutAt.some(isCut)).toBe(true);
    console.info(`${cutAt.length} kills, after ${cutAt.join(', ')} of ${DECISIONS} decisions`);
  }, 480_000);

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

  /** Makes the run due, as on the next morning. */
  const makeDue = () =>
    rows(`update liability_states set completed_day = completed_day - 1, run_day = run_day - 1
      where ledger_id = $live`);

  interface State {
    /** The sequence number that the run has reached. */
    readonly after: number;
    readonly hasBegun: boolean;
    readonly isComplete: boolean;
  }

  /** The state of the due run: that of the day after the last complete one. */
  async function state(): Promise<State> {
    const [row] = await rows<State>(`
      select run_after_seq::int as after, run_day > s.completed_day or isDone as "hasBegun",
        isDone as "isComplete"
      from liability_states s, lateral (
        select completed_day = (now() at time zone 'utc' - interval '2 hours')::date as isDone
      ) d where ledger_id = $live`);
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

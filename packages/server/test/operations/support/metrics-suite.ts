import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedFigures } from '#server/domains/operations/monitoring/index';
import type { Database } from '#server/platform/database';
import { installationOf } from '#server/platform/statement';
import { decision, request } from '../../support/client.js';
import { askFor } from '../../support/exports.js';
import { ROOT } from '../../support/paths.js';
import { type Engine, openTestService, scopeOf, type TestService } from '../../support/service.js';
import { giveUpJob } from '../../support/stored-jobs.js';

const DOCS = resolve(ROOT, 'docs/data/metrics.csv');
const KEPT_MS = 10_000;

let bed: TestService;

/** Metrics of background jobs, connections and chains. */
export function metricsSuite(engine: Engine): void {
  describe(`GET /metrics on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine);
    });
    afterAll(() => bed.close());

    describe('Metrics', figures);
    describe('Cost of a scrape', costs);
  });
}

/** A scrape after the cached figures have expired. */
async function scrape(): Promise<string> {
  bed.clock.advance(KEPT_MS);
  return (await request(bed.http, 'GET', '/metrics')).text;
}

/** Value of a sample, given its name with its labels. */
function sampleOf(text: string, sample: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
  expect(line, `${sample} in\n${text}`).toBeDefined();
  return Number(line?.slice(sample.length + 1));
}

function figures(): void {
  it('The metrics are exactly those that the documentation lists', async () => {
    const text = await scrape();
    const told = [...text.matchAll(/^# HELP (ledger_\w+) /gm)].map(([, name]) => name);
    const page = readFileSync(DOCS, 'utf8');
    const listed = [...page.matchAll(/^(ledger_\w+),(\w+),/gm)];
    expect(listed.map(([, name]) => name).sort()).toEqual(told.sort());
    for (const [, name, kind] of listed) expect(text).toContain(`# TYPE ${name} ${kind}`);
  });

  it('The metrics show how many jobs wait in each queue, how long, and how many are dead, over all ledgers', async () => {
    const before = await scrape();
    const [first, second] = [await bed.organisation(), await bed.organisation()];
    for (const { live } of [first, second]) {
      await giveUpJob(bed, await scopeOf(bed, live), { object_id: 'ch_1' });
    }
    await askFor(first.live);
    const text = await scrape();
    const exports = 'ledger_queue_jobs{queue="exports",state="waiting"}';
    expect(sampleOf(before, exports)).toBe(0);
    expect(sampleOf(text, exports)).toBe(1);
    expect(sampleOf(text, 'ledger_queue_jobs{queue="exports",state="active"}')).toBe(0);
    expect(sampleOf(text, 'ledger_queue_oldest_job_age_seconds{queue="exports"}')).toBeGreaterThan(
      0,
    );
    expect(sampleOf(text, 'ledger_dead_letters{queue="stripe-object"}')).toBe(2);
    expect(sampleOf(text, 'ledger_dead_letters{queue="accounting-poll"}')).toBe(0);
    expect(sampleOf(text, 'ledger_exports{status="pending"}')).toBe(1);
    expect(sampleOf(text, 'ledger_exports{status="running"}')).toBe(0);
    expect(sampleOf(text, 'ledger_exports{status="complete"}')).toBe(0);
  });

  it('The metrics count the chain records of all ledgers together and of no single ledger', async () => {
    const { live, id } = await bed.organisation();
    const before = await scrape();
    await live.post('/decisions/batch', { decisions: [decision(), decision(), decision()] });
    const text = await scrape();
    const decisions = 'ledger_chain_records{chain="decisions"}';
    expect(sampleOf(text, decisions)).toBe(sampleOf(before, decisions) + 3);
    expect(sampleOf(text, 'ledger_chain_records{chain="activity"}')).toBeGreaterThan(0);
    expect(text).not.toContain(id);
  });

  it('The metrics show the database connections in use, idle and awaited', async () => {
    const text = await scrape();
    const inUse = sampleOf(text, 'ledger_database_connections{state="in_use"}');
    const idle = sampleOf(text, 'ledger_database_connections{state="idle"}');
    const most = sampleOf(text, 'ledger_database_connections_max');
    expect(inUse + idle).toBeGreaterThan(0);
    expect(inUse + idle).toBeLessThanOrEqual(most);
    expect(sampleOf(text, 'ledger_database_waiting_requests')).toBe(0);
    await bed.service.db.transaction(async () => {
      const within = await scrape();
      expect(sampleOf(within, 'ledger_database_connections{state="in_use"}')).toBeGreaterThan(0);
    });
  });

  it('The metrics show when a chain was last verified and with what result', async () => {
    const { live } = await bed.organisation();
    await live.get('/activity/chain/verify');
    const text = await scrape();
    const now = (bed.clock.now() - KEPT_MS) / 1000;
    expect(
      sampleOf(text, 'ledger_chain_last_verification_timestamp_seconds{chain="activity"}'),
    ).toBe(now);
    expect(sampleOf(text, 'ledger_chain_last_verification_valid{chain="activity"}')).toBe(1);
    const walks = 'ledger_chain_verifications_total{chain="activity",result="valid"}';
    expect(sampleOf(text, walks)).toBe(1);
    const wrong = { expect_seq: '1', expect_hash: '0'.repeat(64) };
    await live.get(`/activity/chain/verify?${new URLSearchParams(wrong)}`);
    const after = await scrape();
    expect(sampleOf(after, 'ledger_chain_last_verification_valid{chain="activity"}')).toBe(0);
    expect(
      sampleOf(after, 'ledger_chain_verifications_total{chain="activity",result="broken"}'),
    ).toBe(1);
  });
}

function costs(): void {
  /** The metrics of this service, read through another database. */
  function reader(db: Database) {
    const shown: object[] = [];
    const refresh = storedFigures({
      ...bed.service,
      ...{
        db,
        installation: installationOf(db),
        exportQueues: ['exports', 'long-exports'],
        onError: (error) => void shown.push({ error }),
      },
      onFigures: (read) => void shown.push(read),
    });
    return { refresh, shown };
  }

  it('Many scrapes within seconds read the database once', async () => {
    let queries = 0;
    const { db } = bed.service;
    const counting: Database = {
      ...db,
      query: (statement) => {
        queries += 1;
        return db.query(statement);
      },
    };
    const { refresh, shown } = reader(counting);
    await Promise.all(Array.from({ length: 20 }, () => refresh()));
    await refresh();
    expect(shown).toHaveLength(1);
    expect(queries).toBe(5);
    bed.clock.advance(KEPT_MS);
    await refresh();
    expect(shown).toHaveLength(2);
  });

  it('A scrape answers with the last figures while the database is busy', async () => {
    const released: (() => void)[] = [];
    const { db } = bed.service;
    const busy: Database = {
      ...db,
      query: async (statement) => {
        await new Promise<void>((resolve) => released.push(resolve));
        return db.query(statement);
      },
    };
    const { refresh, shown } = reader(busy);
    await refresh();
    await refresh();
    expect(shown).toEqual([]);
    expect(released).toHaveLength(1);
    for (const next of [0, 1, 2, 3, 4]) {
      await expect.poll(() => released.length).toBeGreaterThan(next);
      released[next]?.();
    }
    await expect.poll(() => shown).toHaveLength(1);
  });

  it('A scrape answers although the database fails, and reports the failure', async () => {
    const { db } = bed.service;
    const gone: Database = { ...db, query: () => Promise.reject(new Error('gone')) };
    const { refresh, shown } = reader(gone);
    await refresh();
    expect(shown).toMatchObject([{ error: { message: 'gone' } }]);
  });
}

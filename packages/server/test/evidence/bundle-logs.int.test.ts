import { verifyBundle } from '@decision-ledger/verifier/verify';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runExport } from '#server/domains/evidence/exports/run';
import type { Scope } from '#server/platform/principal';
import type { Client } from '../support/client.js';
import { erase, FULL } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  check,
  type Downloaded,
  fingerprintOf,
  readExport,
  runTools,
  textOf,
} from '../support/exports.js';
import { recordEvent } from '../support/money.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';
import { setTime } from './support/rewrite.js';

const JANUARY = { start_date: '2027-01-01', end_date: '2027-01-31' };

let bed: TestService;
let client: Client;
let scope: Scope;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  scope = await scopeOf(bed, client);
  await setTime(bed, scope, '2027-01-10T08:00:00Z');
});
afterAll(() => bed.close());

/** Completeness, for an auditor who kept the checkpoint of the activity when the bundle was made. */
async function completenessOf({ archive, files }: Downloaded) {
  const source = {
    size: archive.length,
    read: async (offset: number, length: number) => archive.subarray(offset, offset + length),
  };
  const { verdicts } = await verifyBundle(source, {
    keyFingerprint: await fingerprintOf(client),
    checkpoint: textOf({ files }, 'activity.checkpoint'),
  });
  const { verdict, basis, findings } = verdicts.completeness;
  return { verdict, basis, codes: findings.map(({ code }) => code) };
}

describe('Transparency logs of bundles', () => {
  it('A range after which nothing was recorded is proven once it is over', async () => {
    await decide(client);
    expect(await completenessOf(await bundleOf(bed, client, JANUARY))).toEqual({
      ...{ verdict: 'unproven', basis: 'witnessed', codes: ['edges_unproven'] },
    });
    await setTime(bed, scope, '2027-03-01T00:00:00Z');
    const bundle = await bundleOf(bed, client, JANUARY);
    expect(await completenessOf(bundle)).toEqual({
      verdict: 'pass',
      basis: 'witnessed',
      codes: [],
    });
    const named = textOf(bundle, 'activity.ndjson').match(/"type":"checkpoint.signed"/g);
    expect(named).toHaveLength(2);
    // Another export has nothing to add.
    const next = await bundleOf(bed, client, JANUARY);
    expect(textOf(next, 'activity.ndjson').match(/"type":"checkpoint.signed"/g)).toHaveLength(2);
    expect(textOf(next, 'decisions.checkpoint')).toBe(textOf(bundle, 'decisions.checkpoint'));
  });

  it('A ledger without decisions proves that its range is empty', async () => {
    await setTime(bed, scope, '2027-03-01T00:00:00Z');
    expect(await completenessOf(await bundleOf(bed, client, JANUARY))).toEqual({
      ...{ verdict: 'pass', basis: 'witnessed', codes: [] },
    });
  });

  it('The service keeps the checkpoints that a bundle holds', async () => {
    await decide(client);
    const bundle = await bundleOf(bed, client, JANUARY);
    const held = await bed.service.db.query<{ chain: string; note: string }>(sql`
      select c.chain, c.note from export_checkpoints e
      join checkpoints c using (ledger_id, chain, generation, size)
      where e.ledger_id = ${scope.ledgerId} order by c.chain desc`);
    expect(held.map(({ note }) => note)).toEqual(
      ['decisions', 'activity'].map((chain) => textOf(bundle, `${chain}.checkpoint`)),
    );
  });

  it('An export fails with the reason if a log has a fault', async () => {
    await decide(client);
    await bundleOf(bed, client, JANUARY);
    await withOwner(bed, (owner) =>
      owner.query("update tlogs set fault = 'a hash differs' where ledger_id = $1", [
        scope.ledgerId,
      ]),
    );
    const { export_id } = await askFor(client, JANUARY);
    const { tools } = runTools(bed);
    await runExport(tools.db.ledger(scope), tools, export_id, new AbortController().signal);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('a hash differs'),
    });
  });

  it('A compliance bundle proves its range, and withholds money without a doubt about it', async () => {
    const timestamp = '2026-02-10T12:00:00.000Z';
    await recordEvent(client, { timestamp });
    const { decision_id } = await decide(client, { ...FULL, timestamp });
    await erase(client, decision_id, 'inputs');
    await setTime(bed, scope, '2027-03-01T00:00:00Z');
    const later = await decide(client, { timestamp: '2025-01-01T00:00:00.000Z' });
    const range = { start_date: '2026-01-01', end_date: '2027-01-31' };
    const bundle = await bundleOf(bed, client, { ...range, export_type: 'compliance' });
    expect(await completenessOf(bundle)).toEqual({
      verdict: 'pass',
      basis: 'witnessed',
      codes: [],
    });
    const { decisions } = JSON.parse(textOf(bundle, 'manifest.json'));
    expect(decisions).toMatchObject({ count: 1, head: { seq: later.seq, hash: later.hash } });
    const activity = textOf(bundle, 'activity.ndjson');
    expect(activity).toContain('"fields":["inputs"]');
    expect(activity).not.toContain('"currency"');
    const { verdicts } = await check(bundle);
    expect(verdicts.integrity.verdict).toBe('pass');
  });
});

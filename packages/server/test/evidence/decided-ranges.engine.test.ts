import { Export } from '@decision-ledger/contract/export';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, decision, expectRefusal } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { decide } from '../support/estimates.js';
import {
  bundleOf,
  type Downloaded,
  fingerprintOf,
  postExport,
  textOf,
} from '../support/exports.js';
import { openTestService, type TestService } from '../support/service.js';
import { JANUARY, type JanuaryLedger, januaryLedger } from './support/january.js';

const DAY = 86_400;

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;
  let goTo: JanuaryLedger['goTo'];

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    ({ client, goTo } = await januaryLedger(bed));
  });
  afterAll(() => bed.close());

  const limit = (max_lateness_seconds: number | null) =>
    client.patch('/settings', { recording: { max_lateness_seconds } });

  /** Decisions around January; the last one of January is recorded in February. */
  async function record(): Promise<void> {
    for (const time of ['2026-12-31T10:00:00Z', '2027-01-10T10:00:00Z', '2027-01-31T10:00:00Z']) {
      await goTo(time);
      await decide(client);
    }
    await goTo('2027-02-01T10:00:00Z');
    await decide(client);
    await decide(client, { timestamp: '2027-01-31T20:00:00Z' });
    for (const time of ['2027-02-02T10:00:00Z', '2027-02-20T10:00:00Z']) {
      await goTo(time);
      await decide(client);
    }
  }

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
    expect(verdicts.integrity.findings).toEqual([]);
    const { verdict, findings } = verdicts.completeness;
    return { verdict, codes: findings.map(({ code }) => code) };
  }

  const bundle = (fields: object = {}) =>
    bundleOf(bed, client, { ...JANUARY, range_basis: 'decided', ...fields });
  const seqsIn = (made: Downloaded) =>
    [...textOf(made, 'entries.ndjson').matchAll(/"seq":(\d+)/g)].map(([, seq]) => Number(seq));

  describe('An export of a range of decided times', () => {
    it('It shows what may have been recorded late, and its completeness is proven', async () => {
      await goTo('2026-12-20T10:00:00Z');
      await limit(DAY);
      await record();
      const decided = await bundle();
      expect(JSON.parse(textOf(decided, 'manifest.json'))).toMatchObject({
        ...{ range: { basis: 'decided' }, decisions: { count: 3 } },
      });
      expect(seqsIn(decided)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(textOf(decided, 'activity.ndjson')).toContain('"max_lateness_seconds":86400');
      expect(await completenessOf(decided)).toEqual({ verdict: 'pass', codes: [] });
      const recorded = await bundle({ range_basis: 'recorded' });
      expect(JSON.parse(textOf(recorded, 'manifest.json')).range.basis).toBe('recorded');
      expect(await completenessOf(recorded)).toEqual({ verdict: 'pass', codes: [] });
      const statement = await bundle({ export_type: 'statement', agent_id: 'agent' });
      expect(await completenessOf(statement)).toEqual({ verdict: 'pass', codes: [] });
    });

    it('It is proven from when the last decision of the range was too late', async () => {
      await goTo('2027-01-30T10:00:00Z');
      await limit(DAY);
      await decide(client);
      await goTo('2027-02-01T23:00:00Z');
      expect(await completenessOf(await bundle())).toMatchObject({ codes: ['edges_unproven'] });
      await goTo('2027-02-02T00:05:00Z');
      expect(await completenessOf(await bundle())).toEqual({ verdict: 'pass', codes: [] });
    });

    it('Without a limit it is not proven, and nor is it after the limit was switched off', async () => {
      await record();
      const open = { verdict: 'unproven', codes: ['lateness_unbounded'] };
      expect(await completenessOf(await bundle())).toEqual(open);
      await limit(DAY);
      await limit(null);
      expect(await completenessOf(await bundle())).toEqual(open);
    });

    it('A limit that was set later proves an earlier range with the run up to then', async () => {
      await record();
      await limit(DAY);
      await goTo('2027-02-20T11:00:00Z');
      await decide(client);
      await decide(client);
      const made = await bundle();
      expect(seqsIn(made)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await completenessOf(made)).toEqual({ verdict: 'pass', codes: [] });
    });

    it('The answer names the basis, and a bundle of sums has none', async () => {
      const asked = dataOf(await postExport(client, JANUARY), Export, 202);
      expect(asked.range_basis).toBe('recorded');
      const fields = { ...JANUARY, range_basis: 'decided' };
      expect(dataOf(await postExport(client, fields), Export, 202).range_basis).toBe('decided');
      const sums = { ...fields, export_type: 'insurance' };
      expectRefusal(await postExport(client, sums), 'validation_error', 'range_basis');
      const wrong = { ...JANUARY, range_basis: 'both' };
      expectRefusal(await postExport(client, wrong), 'validation_error', 'range_basis');
    });

    it('A decision that is too late for its range is refused', async () => {
      await goTo('2026-12-20T10:00:00Z');
      await limit(DAY);
      await goTo('2027-02-02T00:00:01Z');
      const late = decision({ timestamp: '2027-01-31T23:59:59.999Z' });
      expectRefusal(await client.post('/decisions', late), 'too_late', 'timestamp');
    });
  });
});

import { createHmac, hkdfSync } from 'node:crypto';
import { Link } from '@decision-ledger/contract/link';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import { erase, FULL } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  ALWAYS,
  bundleOf,
  CONSISTENT,
  check,
  type Downloaded,
  fingerprintOf,
  jsonOf,
  readExport,
  textOf,
  verdictsOf,
} from '../support/exports.js';
import { link, recordEvent } from '../support/money.js';
import { openTestService, type TestService } from '../support/service.js';

const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' };
const IN = '2026-02-10T12:00:00.000Z';
const OUT = '2026-03-10T12:00:00.000Z';
const PASSED = { ...CONSISTENT, authenticity: 'pass' };

/** Arbitrary values in the metadata that describe a use. */
const USES = [
  { use_start: '2026-02-10T08:00:00Z', use_end: '2026-02-10T08:05:00.25+02:00', verifiers: 'anna' },
  { use_start: 'yesterday', use_end: 5, reference_database: ' ', verifiers: [], reviewer_id: 7 },
  { reference_database: { name: 'watch list', version: 7 }, matched_input: [{ frame: 12 }] },
  { verifiers: ['@anna', '', null, { name: 'Bén \u2028' }], reviewer_id: 'rev-7' },
  {
    reviewer_id: { __proto__x: [1e-7, 0.1] },
    matched_input: false,
    use_start: '0001-01-01T00:00:00+01:00',
  },
];

describe('Compliance and insurance bundles, verified offline', () => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService('embedded');
    client = (await bed.organisation()).live;
    await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    for (let n = 0; n < 3; n += 1) await decide(client, { ...FULL, timestamp: IN });
  });
  afterAll(() => bed.close());

  const checked = async (export_type: string) => {
    const bundle = await bundleOf(bed, client, { ...FEBRUARY, export_type });
    return check(bundle, { keyFingerprint: await fingerprintOf(client) });
  };

  it('A compliance bundle whose records are an unbroken run passes', async () => {
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A compliance bundle of test data says so', async () => {
    const { test } = await bed.organisation();
    await decide(test, { ...FULL, timestamp: IN });
    const bundle = await bundleOf(bed, test, { ...FEBRUARY, export_type: 'compliance' });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(test) });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
    expect(report.verdicts.integrity.sentence).toMatch(/^TEST DATA: .*matches its entry/);
  });

  it('A compliance bundle passes with any form of use in the metadata', async () => {
    for (const metadata of USES) await decide(client, { ...FULL, metadata, timestamp: IN });
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A compliance bundle without datable records in its range passes', async () => {
    const range = { start_date: '2026-01-01', end_date: '2026-01-02', export_type: 'compliance' };
    const keyFingerprint = await fingerprintOf(client);
    const report = await check(await bundleOf(bed, client, range), { keyFingerprint });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('A compliance bundle with erased fields passes', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: IN });
    await erase(client, decision_id, 'inputs', 'metadata');
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it.for(['forensic', 'compliance', 'insurance'])(
    'A bundle of type %s over all time passes',
    async (type) => {
      const range = { start_date: '0001-01-01', end_date: '9999-12-31', export_type: type };
      const own = (await bed.organisation()).live;
      await decide(own, FULL);
      const bundle = await bundleOf(bed, own, range);
      const { end_date } = await readExport(own, bundle.id);
      expect(end_date).toBe('9999-12-31T23:59:59.999Z');
      const report = await check(bundle, { keyFingerprint: await fingerprintOf(own) });
      const { integrity, authenticity } = verdictsOf(report);
      expect({ integrity, authenticity }, JSON.stringify(report)).toEqual({
        ...{ integrity: 'pass', authenticity: 'pass' },
      });
      if (type !== 'insurance') expect(verdictsOf(report)).toEqual(PASSED);
    },
  );

  it('An insurance bundle names the largest losses by ids that the master key resolves, the same in each try', async () => {
    const own = (await bed.organisation()).live;
    const lost = [];
    for (let n = 1; n <= 6; n += 1) {
      const { decision_id } = await decide(own, { timestamp: IN });
      const { id } = await recordEvent(own, { amount: `-${n}00.00`, timestamp: IN });
      const fields = { link_type: 'loss', correlation_strength: 1 };
      expect((await own.post('/links', link(decision_id, id, fields))).status).toBe(201);
      lost.unshift(decision_id);
    }
    const bundle = await bundleOf(bed, own, { ...FEBRUARY, export_type: 'insurance' });
    const { largest_losses } = jsonOf<{ largest_losses: { decision: string }[] }>(
      bundle,
      'insurance.json',
    );
    const info = 'decision-ledger/insurance names';
    const key = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 7), '', info, 32));
    const hmac = (secret: Buffer, text: string) => createHmac('sha256', secret).update(text);
    const secret = hmac(key, bundle.id).digest();
    const names = lost.map((id) => hmac(secret, id).digest('hex'));
    expect(largest_losses.map(({ decision }) => decision)).toEqual(names);
  });

  it('A compliance bundle shows the entries of other ranges between its records', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: OUT });
    await erase(client, decision_id, 'inputs');
    await decide(client, { ...FULL, timestamp: IN });
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('An insurance bundle leaves unproven what its sums cannot show', async () => {
    const report = await checked('insurance');
    const open = { completeness: 'unproven', time: 'unproven' };
    expect(verdictsOf(report), JSON.stringify(report)).toEqual({ ...PASSED, ...open });
  });

  it('An insurance bundle is of a state of both logs, and names no record of the ledger', async () => {
    const bundle = await bundleOf(bed, client, { ...FEBRUARY, export_type: 'insurance' });
    const source = {
      size: bundle.archive.length,
      read: async (at: number, length: number) => bundle.archive.subarray(at, at + length),
    };
    const checkpoint = textOf(bundle, 'activity.checkpoint');
    const { verdicts } = await verifyBundle(source, { checkpoint });
    const { verdict, basis, findings } = verdicts.completeness;
    const codes = findings.map(({ code }) => code);
    expect({ verdict, basis, codes }, JSON.stringify(verdicts)).toEqual({
      ...{ verdict: 'unproven', basis: 'witnessed', codes: ['sums_only'] },
    });
    expect(verdicts.integrity.verdict).toBe('pass');
    for (const [name, bytes] of bundle.files) {
      expect(String(bytes), name).not.toMatch(/(dec|evt|lnk)_[0-9a-z]{26}/);
    }
  });

  it('A bundle contradicts no earlier bundle of its ledger, of any kind and range', async () => {
    const own = (await bed.organisation()).live;
    await own.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
    await tell(own);
    const earlier = await allBundles(own);
    const erased = await tell(own);
    await erase(own, erased, 'inputs');
    const keyFingerprint = await fingerprintOf(own);
    for (const bundle of await allBundles(own)) {
      for (const previous of earlier) {
        const report = await check(bundle, { keyFingerprint, previous });
        expect(Object.values(verdictsOf(report)), JSON.stringify(report)).not.toContain('fail');
      }
    }
  });

  async function allBundles(own: Client): Promise<Downloaded[]> {
    const bundles: Downloaded[] = [];
    for (const range of [FEBRUARY, { start_date: '2026-03-01', end_date: '2026-03-31' }, ALWAYS]) {
      for (const export_type of ['forensic', 'compliance', 'insurance']) {
        bundles.push(await bundleOf(bed, own, { ...range, export_type }));
      }
    }
    return bundles;
  }
});

/** Records decisions and money inside and outside of February, with links across, some deleted. */
async function tell(own: Client): Promise<string> {
  const [first, between, last] = [
    await decide(own, { ...FULL, timestamp: IN }),
    await decide(own, { ...FULL, timestamp: OUT }),
    await decide(own, { ...FULL, timestamp: IN }),
  ];
  const paid = await recordEvent(own, { timestamp: IN });
  const later = await recordEvent(own, { timestamp: OUT });
  const pairs = [
    link(first.decision_id, paid.id),
    link(last.decision_id, later.id),
    link(between.decision_id, paid.id),
    link(between.decision_id, later.id),
  ];
  for (const [n, pair] of pairs.entries()) {
    const { id } = dataOf(await own.post('/links', pair), Link, 201);
    if (n % 2 === 1) await own.delete(`/links/${id}`);
  }
  const gone = await recordEvent(own, { timestamp: IN });
  await own.delete(`/financial-events/${gone.id}`);
  return first.decision_id;
}

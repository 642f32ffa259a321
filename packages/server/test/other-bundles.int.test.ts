import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.js';
import { erase, FULL } from './support/erasures.js';
import { decide } from './support/estimates.js';
import { bundleOf, check, fingerprintOf, verdictsOf } from './support/exports.js';
import { openTestService, type TestService } from './support/service.js';

const FEBRUARY = { start_date: '2026-02-01', end_date: '2026-02-28' };
const IN = '2026-02-10T12:00:00.000Z';
const OUT = '2026-03-10T12:00:00.000Z';
const PASSED = { integrity: 'pass', completeness: 'pass', authenticity: 'pass', time: 'pass' };

describe('bundles for others than courts, checked offline', () => {
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

  it('pass where records for regulators are an unbroken run', async () => {
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('pass where fields were erased, with records that are what their hashes say', async () => {
    const { decision_id } = await decide(client, { ...FULL, timestamp: IN });
    await erase(client, decision_id, 'inputs', 'metadata');
    const report = await checked('compliance');
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
  });

  it('leave open what lies between records for regulators', async () => {
    await decide(client, { ...FULL, timestamp: OUT });
    await decide(client, { ...FULL, timestamp: IN });
    const report = await checked('compliance');
    expect(verdictsOf(report)).toEqual({ ...PASSED, completeness: 'unproven' });
    expect(report.verdicts.completeness.findings[0]?.message).toContain('completeness.json states');
  });

  it('leave open what sums for underwriters cannot show', async () => {
    const report = await checked('insurance');
    const open = { completeness: 'unproven', time: 'unproven' };
    expect(verdictsOf(report), JSON.stringify(report)).toEqual({ ...PASSED, ...open });
  });
});

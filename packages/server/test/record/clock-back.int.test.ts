import { afterAll, beforeAll, expect, it } from 'vitest';
import { decide } from '../support/estimates.js';
import { bundleOf, CONSISTENT, check, fingerprintOf, verdictsOf } from '../support/exports.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';

const PASSED = { ...CONSISTENT, authenticity: 'pass' };

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

it.each(['forensic', 'compliance'])(
  'A %s bundle is dated no earlier than its decisions after the database clock went back',
  async (export_type) => {
    const { live } = await bed.organisation();
    await decide(live);
    const { ledgerId } = await scopeOf(bed, live);
    // The next decision is recorded at the time of this head, as if the clock went back after it.
    await withOwner(bed, (client) =>
      client.query(
        `update chain_heads set created_at = now() + interval '10 minutes'
        where ledger_id = $1 and chain = 'decisions'`,
        [ledgerId],
      ),
    );
    const ahead = Date.parse((await decide(live)).created_at);
    expect(ahead).toBeGreaterThan(Date.now() + 300_000);
    const bundle = await bundleOf(bed, live, { export_type });
    const report = await check(bundle, { keyFingerprint: await fingerprintOf(live) });
    expect(verdictsOf(report), JSON.stringify(report)).toEqual(PASSED);
    expect(Date.parse(report.bundle?.created_at ?? '')).toBeGreaterThanOrEqual(ahead);
  },
);

import { FINDINGS } from '@decision-ledger/verifier/report/codes';
import { describe, expect, test } from 'vitest';
import { check, codes } from './support/check.js';
import { TAMPERINGS } from './support/tamperings.js';

describe("Bundles signed by the organisation's key and still wrong", () => {
  test.each(TAMPERINGS)('Verification reports $about as $code', async ({ code, verdict, zip }) => {
    const report = await check(await zip());
    expect(codes(report, verdict)).toContain(code);
    const isDoubt = ['records_unlinked', 'sums_only', 'time_unknown'].includes(code);
    expect(report.verdicts[verdict]?.verdict).toBe(isDoubt ? 'unproven' : 'fail');
    expect(Object.keys(FINDINGS)).toContain(code);
  });
});

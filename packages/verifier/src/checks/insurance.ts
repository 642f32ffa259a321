import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';
import { SumsLogCheck } from './log/sums.js';

/** The contents of a bundle of sums cannot be recomputed. Its logs say of which state of the ledger they are. */
export function insuranceCheck(manifest: Manifest, input: ContentInput): ContentCheck<'insurance'> {
  const { findings } = input;
  const log = new SumsLogCheck({ ...input, manifest });
  return {
    steps: { 'insurance.json': checkHashAlone, ...log.steps },
    async conclude() {
      const message = 'The bundle contains sums only, and no record that could be checked.';
      findings.doubt('completeness', { code: 'sums_only', message });
      findings.doubt('time', { code: 'time_unknown', message });
      const proven = await log.conclude();
      if (findings.of('completeness').outcome !== 'fail') {
        for (const doubt of proven.log.doubts) findings.doubt('completeness', doubt);
      }
      return { run: null, genesisHash: null, activity: null, chosen: null, ...proven };
    },
  };
}

import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';
import { SumsLogCheck } from './log/sums.js';

/** The contents of a bundle of sums cannot be recomputed. Its logs say of which state of the ledger they are. */
export function insuranceCheck(
  manifest: Manifest,
  { files, findings, kept }: ContentInput,
): ContentCheck<'insurance'> {
  const { logs: keys } = manifest;
  const log = keys === null ? null : new SumsLogCheck({ manifest, keys, files, findings, kept });
  return {
    steps: { 'insurance.json': checkHashAlone, ...(log?.steps ?? NO_STEPS) },
    async conclude() {
      const message = 'The bundle contains sums only, and no record that could be checked.';
      findings.doubt('completeness', { code: 'sums_only', message });
      findings.doubt('time', { code: 'time_unknown', message });
      const proven = (await log?.conclude()) ?? { log: null, recorded: null };
      if (findings.of('completeness').outcome !== 'fail') {
        for (const doubt of proven.log?.doubts ?? []) findings.doubt('completeness', doubt);
      }
      return {
        run: null,
        genesisHash: null,
        activity: null,
        chosen: null,
        isModeProven: log !== null,
        ...proven,
      };
    },
  };
}

const NO_STEPS = {
  'activity.checkpoint': checkHashAlone,
  'decisions.checkpoint': checkHashAlone,
  'activity.proofs.json': checkHashAlone,
};

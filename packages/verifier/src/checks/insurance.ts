import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';

/** The contents of a bundle of sums cannot be recomputed. */
export function insuranceCheck({ findings }: ContentInput): ContentCheck<'insurance'> {
  return {
    steps: { 'insurance.json': checkHashAlone },
    conclude() {
      const message = 'The bundle contains sums only, and no record that could be checked.';
      findings.doubt('completeness', { code: 'sums_only', message });
      findings.doubt('time', { code: 'time_unknown', message });
      return { run: null, genesisHash: null, activity: null, log: null, isModeProven: false };
    },
  };
}

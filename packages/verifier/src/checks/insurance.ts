import { type ContentCheck, type ContentInput, checkHashAlone } from './contents.js';

/** Nothing in a bundle of sums can be worked out again. */
export function insuranceCheck({ findings }: ContentInput): ContentCheck<'insurance'> {
  return {
    steps: { 'insurance.json': checkHashAlone },
    conclude() {
      const message = 'The bundle holds sums only: no record stands in it that could be looked at.';
      findings.doubt('completeness', { code: 'sums_only', message });
      findings.doubt('time', { code: 'time_unknown', message });
      return { run: null, genesisHash: null, activity: null, isModeProven: false };
    },
  };
}

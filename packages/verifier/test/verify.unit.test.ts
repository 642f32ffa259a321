import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { reportText } from '@decision-ledger/verifier/report/text';
import { verifyBundle } from '@decision-ledger/verifier/verify';
import { test } from 'vitest';
import { draftOf, pack } from './support/bundle.js';
import { testKey } from './support/keys.js';
import { erasedStory, fullStory } from './support/samples.js';

test.each(['forensic', 'compliance', 'insurance'] as const)(
  'a good %s bundle',
  async (exportType) => {
    for (const story of [fullStory(), erasedStory()]) {
      const zip = await pack(draftOf(story, { exportType }));
      const report = await verifyBundle(memorySource(zip), {
        keyFingerprint: testKey('first').fingerprint,
      });
      console.log(reportText(report));
    }
  },
);

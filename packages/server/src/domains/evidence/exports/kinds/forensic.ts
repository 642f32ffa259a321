import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import { activityPart, entriesPart, verificationPart } from '../parts/chains.js';
import { decisionsPart, eventsPart, linksPart } from '../parts/records.js';
import type { Section } from '../rules/readme.js';
import { closing, copied, type ExportKind } from './kind.js';

/** The full evidence: records, their chains, and what proves both. */
export const forensic: ExportKind<'forensic'> = {
  files: {
    'decisions.json': copied(decisionsPart),
    'entries.ndjson': copied(entriesPart),
    'events.json': copied(eventsPart),
    'links.json': copied(linksPart),
    'activity.ndjson': closing(activityPart),
    'chain_verification.json': closing(verificationPart),
  },
  namesApiKeys: true,
  readme,
};

function readme({ decisions, activity }: BundleFacts): Section[] {
  const run =
    decisions.first === null || decisions.last === null
      ? 'The range holds no decision.'
      : `The decisions stand in the chain between places ${decisions.first.seq} and ` +
        `${decisions.last.seq}; ${decisions.count} of them lie in the range.`;
  return [
    [
      'WHAT IT PROVES',
      '',
      'Decisions: each has the very content that was recorded, none was changed, none was taken out',
      'of or put into the run afterwards, and they were recorded in this order. entries.ndjson is that',
      `run, unbroken. ${run}`,
      'Those of the run that lie outside the range are there as entries alone: who decided, when and',
      'what kind of thing, with digests in place of what was decided.',
      '',
      'Money and links: each financial event and each link here is as the chain of activity tells of',
      `it, which is here from its beginning to place ${activity.last?.seq ?? 0}, unbroken. What it says`,
      'of things outside this bundle is withheld; digests of it are there.',
      '',
      'Erased fields: where a field was erased, its digest is still in the entry, and the chain of',
      `activity says when, by whom and why. Erased in this run: ${decisions.erased_fields}.`,
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That what an agent sent was true, or that everything was sent.',
      '- What came after the last entry, or that nothing did. A later bundle shows that it continues',
      '  this one.',
      '- That a whole ledger was not written anew before the bundle was made. Receipts that others',
      '  kept, and bundles of before, show that.',
      '- That no event or link of the range was left out, as far as their data are withheld.',
      '- Exact time: the times are those of the clock of the ledger, or what its callers said.',
      '- The estimates under `liability`: they are calculations.',
    ],
  ];
}

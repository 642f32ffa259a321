import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import { pinRange } from '../export-run.js';
import { activityPart, entriesPart, verificationPart } from '../parts/chains.js';
import { checkpointPart, rangePart } from '../parts/logs.js';
import { decisionsPart, eventsPart, linksPart } from '../parts/records.js';
import type { Section } from '../rules/readme.js';
import { closing, copied, type ExportKind } from './kind.js';

/** The full evidence: records, their chains, and the proofs of both. */
export const forensic: ExportKind<'forensic'> = {
  pin: pinRange,
  files: {
    'decisions.json': copied(decisionsPart),
    'entries.ndjson': copied(entriesPart),
    'events.json': copied(eventsPart),
    'links.json': copied(linksPart),
    'activity.ndjson': closing(activityPart),
    'chain_verification.json': closing(verificationPart),
    'decisions.checkpoint': closing((run) => checkpointPart(run, 'decisions')),
    'activity.checkpoint': closing((run) => checkpointPart(run, 'activity')),
    'decisions.range.json': closing(rangePart),
  },
  namesApiKeys: true,
  readme,
};

function readme({ decisions, activity }: BundleFacts): Section[] {
  const run =
    decisions.first === null || decisions.last === null
      ? 'The range contains no decision.'
      : `The run covers the chain from place ${decisions.first.seq} to ` +
        `${decisions.last.seq}; ${decisions.count} of its decisions are in the range.`;
  return [
    [
      'WHAT IT PROVES',
      '',
      'Decisions: each decision has the content that was recorded. None was changed, and none was removed',
      'from or inserted into the run later. They were recorded in this order. entries.ndjson contains the',
      `unbroken run. ${run}`,
      'Decisions of the run outside the range are included only as entries: agent, time and type of',
      'action, with digests in place of the payload. Those at its ends show where the range begins and',
      'ends. decisions.range.json fixes the place of the run in the log of decisions, whose checkpoint the',
      'chain of activity names.',
      '',
      'Money and links: each financial event and each link matches the chain of activity, which is',
      `included without a gap from its beginning to place ${activity.last?.seq ?? 0}. Its data about`,
      'records outside this bundle are withheld and represented by digests. The times of their events and',
      'decisions are shown, and prove that they are not of the range.',
      '',
      'Erased fields: the entry still contains the digest of an erased field, and the chain of activity',
      `records when, by whom and why it was erased. Erased in this run: ${decisions.erased_fields}.`,
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That the data sent by an agent are true, or that an agent sent everything.',
      '- What happened after the last entry, or that nothing did. A later bundle can show that it',
      '  continues this one.',
      '- That the whole ledger was not rewritten before the bundle was made. Checkpoints and receipts kept',
      '  by others and earlier bundles can show that.',
      '- That no event or link of the range was left out, if its data are withheld and it has no time:',
      '  records of former releases, and those made while the export ran.',
      '- Exact times: they come from the clock of the ledger or from its callers.',
      '- The estimates under `liability`: they are calculations.',
    ],
  ];
}

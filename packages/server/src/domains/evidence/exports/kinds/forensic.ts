import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import type { Selection } from '@decision-ledger/proof/bundle/selection';
import { pinRange } from '../export-run.js';
import {
  activityPart,
  checkpointPart,
  entriesPart,
  rangePart,
  verificationPart,
} from '../parts/chains.js';
import { chosenActivityPart, withheldPart } from '../parts/chosen.js';
import { decisionsPart, eventsPart, linksPart } from '../parts/records.js';
import type { Section } from '../rules/readme.js';
import { closing, copied, type ExportKind } from './kind.js';

/** The full evidence: records, their chains, and the proofs of both. */
export const forensic: ExportKind<'forensic'> = {
  pin: pinRange,
  files: {
    'decisions.json': copied(decisionsPart),
    'entries.ndjson': copied(entriesPart),
    'withheld.ndjson': copied(withheldPart),
    'events.json': copied(eventsPart),
    'links.json': copied(linksPart),
    'activity.ndjson': closing((run) =>
      run.selection === null ? activityPart(run) : chosenActivityPart(run, run.selection),
    ),
    'chain_verification.json': closing(verificationPart),
    'decisions.checkpoint': closing((run) => checkpointPart(run, 'decisions')),
    'activity.checkpoint': closing((run) => checkpointPart(run, 'activity')),
    'decisions.range.json': closing(rangePart),
  },
  namesApiKeys: true,
  readme,
};

function readme(facts: BundleFacts): Section[] {
  const { selection } = facts;
  return selection === null ? readmeOfRange(facts) : readmeOfSelection(facts, selection);
}

function readmeOfSelection({ decisions }: BundleFacts, selection: Selection): Section[] {
  const { in_range, withheld, erased } = selection;
  return [
    [
      'WHAT IT SHOWS',
      '',
      `The ${decisions.count} decisions of the range that match the filter in manifest.json, with all that was recorded;`,
      'their confirmed links, with those that refunds took from them; and the events of these links, whenever they',
      'happened.',
      '',
      `Withheld: ${in_range - decisions.count} of ${in_range} decisions of the range, and those of the run outside of it. withheld.ndjson`,
      `has the places and hashes of all ${withheld}. In activity.ndjson, records about other decisions, events and links`,
      'are hashes, too.',
      '',
      'What the filter can compare is what is recorded now: a value that was erased matches nothing.',
      `Decisions of the range whose metadata were erased, so that nobody knows whether they match: ${erased}.`,
    ],
    [
      'WHAT IT PROVES',
      '',
      'Each disclosed decision has the content that was recorded, at its place in the chain, and matches the',
      'filter. Entries and hashes together make the root of the log of decisions: none can be missing, added',
      'or changed between the ends of the run. Two records of the activity chain, which name checkpoints before',
      'and after the range, show that the run has all of the range.',
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That a withheld decision does not match the filter, or is not of the range. Its hash does not show',
      '  that: it is the statement of the organisation. A bundle that shows such a decision contradicts it.',
      '- That a withheld record of the activity chain is not about the disclosed decisions.',
      '- That the data sent by an agent are true, or that an agent sent everything.',
      '- What happened after the last entry. A later bundle can show that it continues this one.',
      '- That the whole ledger was not rewritten before the bundle was made. Checkpoints and receipts kept',
      '  by others and earlier bundles can show that.',
      '- Exact times: they come from the clock of the ledger or from its callers.',
      '- The estimates under `liability`: they are calculations.',
    ],
  ];
}

function readmeOfRange({ decisions, activity }: BundleFacts): Section[] {
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
      '- That no event or link of the range was left out, if it was recorded while the export ran and its',
      '  data are withheld.',
      '- Exact times: they come from the clock of the ledger or from its callers.',
      '- The estimates under `liability`: they are calculations.',
    ],
  ];
}

import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import { activityPart, entriesPart, verificationPart } from '../parts/chains.js';
import { checkpointPart, rangePart } from '../parts/logs.js';
import { statementPart, subjectsOfStatement } from '../parts/statement.js';
import { pinStatement } from '../pin-statement.js';
import type { Section } from '../rules/readme.js';
import { closing, copied, type ExportKind } from './kind.js';

/** The figures of one agent, their rows, and both chains. */
export const statement: ExportKind<'statement'> = {
  pin: pinStatement,
  files: {
    'statement.json': copied(statementPart),
    'entries.ndjson': copied(entriesPart),
    'activity.ndjson': closing((run) => activityPart(run, subjectsOfStatement(run))),
    'chain_verification.json': closing(verificationPart),
    'decisions.checkpoint': closing((run) => checkpointPart(run, 'decisions')),
    'activity.checkpoint': closing((run) => checkpointPart(run, 'activity')),
    'decisions.range.json': closing(rangePart),
  },
  namesApiKeys: true,
  readme,
};

function readme({ decisions, activity }: BundleFacts): Section[] {
  return [
    [
      'WHAT IT PROVES',
      '',
      'statement.json contains the figures of one agent, and the rows that they are the sums of.',
      '',
      'Figures: each one is the sum of its rows, rounded as the service rounds it. A row of linked money',
      'counts by its label and its link type, a decision by its exposure.',
      '',
      `Rows: each decision is in the chain of decisions with its hash. All ${decisions.count} decisions of the agent in`,
      'the range are there. Each event and link is as the chain of activity records it up to place',
      `${activity.since}; the share of each link follows from the links of its event.`,
    ],
    [
      'WHAT IT DOES NOT PROVE',
      '',
      '- That the data sent by an agent are true, or that an agent sent everything.',
      '- The estimates of single decisions, the median and the 95th percentile of the exposure, and the',
      '  interval of the expected net: they are calculations.',
      '- The exchange rates: they come from the settings of the ledger.',
      '- That no link of the agent to an event of the range was left out, if its data are withheld.',
      '- What happened after the statement. It shows the links as they were when it was made.',
    ],
  ];
}

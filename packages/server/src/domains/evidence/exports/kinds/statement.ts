import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RECORD_SEPARATOR } from '@decision-ledger/proof/bundle/frame';
import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { type IdPrefix, idToUuid, uuidToId } from '../../../../platform/ids.js';
import type { ActivityRecord } from '../../../log/activity/index.js';
import type { ExportRun, VerifiedRun } from '../export-run.js';
import { shownWith } from '../movements.js';
import {
  activityPart,
  checkpointPart,
  entriesPart,
  rangePart,
  verificationPart,
} from '../parts/chains.js';
import type { BundlePart } from '../parts/part.js';
import { PINNED, pinStatement } from '../pin-statement.js';
import type { Section } from '../rules/readme.js';
import { selectEventsOfLinks } from '../store/chains.js';
import { differsFromChain } from '../verify-chains.js';
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

const PIECE_CHARS = 1024 * 1024;

/** statement.json: what was pinned when the export started. */
function statementPart(run: ExportRun): BundlePart {
  return {
    async *pieces(from) {
      let at = Number(from ?? 0);
      let text = '';
      let records = 0;
      for await (const line of linesAt(run, at)) {
        text += `${line}\n`;
        records += 1;
        if (text.length < PIECE_CHARS) continue;
        at += Buffer.byteLength(text);
        yield { text, next: String(at), records };
        [text, records] = ['', 0];
      }
      if (text === '') return;
      yield { text, next: String(at + Buffer.byteLength(text)), records };
    },
  };
}

/**
 * Which entries of the chain of activity are disclosed in a statement: those of its events, of what reports the same
 * money, of the payments that reversals take links from, and of all links of these, because the links of a movement share its
 * amount.
 * @returns a function that picks subjects among records
 * @throws ReconciliationError from that function, if a link has no row
 */
function subjectsOfStatement(run: VerifiedRun) {
  let ofRows: Promise<ReadonlySet<string>> | null = null;
  return async (records: readonly ActivityRecord[]): Promise<ReadonlySet<string>> => {
    ofRows ??= readReports(run);
    const known = await ofRows;
    const found = subjectsOf('evt', records).filter((subject) => known.has(subject));
    const links = subjectsOf('lnk', records);
    const uuids = links.map((subject) => idToUuid('lnk', subject) ?? '');
    const events = await selectEventsOfLinks(run.ledger, uuids);
    for (const [at, subject] of links.entries()) {
      const event = events.get(uuids[at] ?? '');
      if (event === undefined && run.chains.activity.is_valid) {
        throw differsFromChain(`${subject} is recorded, but the table of links lacks it`);
      }
      if (event !== undefined && known.has(uuidToId('evt', event))) found.push(subject);
    }
    return new Set(found);
  };
}

function subjectsOf(prefix: IdPrefix, records: readonly ActivityRecord[]): string[] {
  const all = records.map(({ subject }) => subject);
  return [...new Set(all)].filter((subject) => subject.startsWith(`${prefix}_`));
}

const Row = Type.Object({ financial_event_id: Type.Optional(Type.String()) });

/**
 * The events of the rows, those that reported the same money when the figures were read, and those of the payments from which
 * they took links.
 */
async function readReports(run: ExportRun): Promise<ReadonlySet<string>> {
  const events = await readEvents(run);
  return new Set([...events, ...(await shownWith(run.ledger, events, run.snapshot.since))]);
}

/** The events of the rows. */
async function readEvents(run: ExportRun): Promise<ReadonlySet<string>> {
  const events = new Set<string>();
  for await (const line of linesAt(run, 0)) {
    if (!line.startsWith('{"row":"money"')) continue;
    const json = line.endsWith(RECORD_SEPARATOR) ? line.slice(0, -1) : line;
    const { financial_event_id } = Parse(Row, JSON.parse(json));
    if (financial_event_id !== undefined) events.add(financial_event_id);
  }
  return events;
}

/** @param start in bytes: the beginning of a line */
function linesAt({ folder }: ExportRun, start: number): AsyncIterable<string> {
  const input = createReadStream(join(folder.path, PINNED), { encoding: 'utf8', start });
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

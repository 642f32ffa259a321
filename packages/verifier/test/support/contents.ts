import type { JsonValue } from '@decision-ledger/proof/gate';
import { arrayText } from './bundle.js';
import { STATEMENT_AGENT, statementText } from './statement.js';
import type { ActivityRecord, DecisionRecord, Row, Story } from './story.js';

export interface Range {
  readonly start: string;
  readonly end: string;
}

/** What a bundle shows of a ledger. */
export interface Shown {
  readonly story: Story;
  readonly range: Range;
  readonly run: readonly DecisionRecord[];
  /** Seq of the activity chain when the export began. */
  readonly since: number;
}

export type ExportType = keyof typeof CONTENTS;

/** The text files of a bundle of records that depend on its type. */
export function contentsOf(exportType: ExportType, shown: Shown): [string, string][] {
  return CONTENTS[exportType](shown);
}

/** The decisions of a run that are dated in the range, whichever agent made them. */
export function decisionsIn(run: readonly DecisionRecord[], { start, end }: Range) {
  const isIn = (at: string) => start <= at && at < end;
  return run.filter(({ row }) => isIn(String(row.timestamp)));
}

/** The decisions of the range that a bundle counts. */
export function countedIn({ run, range }: Pick<Shown, 'run' | 'range'>, exportType: ExportType) {
  const isCounted = ({ row }: DecisionRecord) =>
    exportType !== 'statement' || row.agent_id === STATEMENT_AGENT;
  return decisionsIn(run, range).filter(isCounted);
}

const rowsOf = ({ run, range }: Shown) => decisionsIn(run, range).map(({ row }) => row);

const CONTENTS = {
  forensic: (shown: Shown): [string, string][] => {
    const { story, range, since } = shown;
    const rows = rowsOf(shown);
    const before = new Set(story.activity.slice(0, since).map(({ subject }) => subject));
    const partners = partnersIn(shown);
    const events = [...story.events.values()].filter(
      ({ id, timestamp }) =>
        before.has(String(id)) &&
        (partners.has(String(id)) ||
          (range.start <= String(timestamp) && String(timestamp) < range.end)),
    );
    const ids = new Set([
      ...rows.map(({ decision_id }) => decision_id),
      ...events.map(({ id }) => id),
    ]);
    const links = [...story.links.values()].filter(
      ({ id, decision_id = null, financial_event_id = null }) =>
        before.has(String(id)) && (ids.has(decision_id) || ids.has(financial_event_id)),
    );
    for (const { id } of links) ids.add(id);
    return [
      ['decisions.json', arrayText(sorted(rows, 'timestamp', 'seq'))],
      ['events.json', arrayText(sorted(events, 'timestamp', 'id'))],
      ['links.json', arrayText(sorted(links, 'created_at', 'id'))],
      ...chainsOf(shown, ids),
    ];
  },
  compliance: (shown: Shown): [string, string][] => {
    const { story, range } = shown;
    const rows = sorted(rowsOf(shown), 'timestamp', 'seq');
    const records = rows.map((row) => article12Of(row));
    return [
      ['article12.json', article12Text(story.ledger, range, records)],
      ['article12.csv', 'decision_id\r\n'],
      ['completeness.json', `{\n  "outside_range": 1\n}\n`],
      ...chainsOf(shown, new Set(rows.map(({ decision_id }) => decision_id))),
    ];
  },
  statement: (shown: Shown): [string, string][] => {
    const { text, ids } = statementText(shown.story, shown.range, shown.since);
    return [['statement.json', text], ...chainsOf(shown, ids)];
  },
  insurance: (): [string, string][] => [['insurance.json', '{"decisions":40}\n']],
};

/**
 * The events that were ever of one movement with one of the range, by the times that their records state, the payments that
 * events of the range took links from, and what events of the range say that they reverse, with what that reverses.
 */
function partnersIn({ story, range, since }: Shown): ReadonlySet<string> {
  const isIn = (time: unknown) => range.start <= String(time) && String(time) < range.end;
  const taken = [...story.links.values()].flatMap(({ financial_event_id, inherited_from }) =>
    typeof inherited_from === 'string' &&
    isIn(story.events.get(String(financial_event_id))?.timestamp)
      ? [inherited_from]
      : [],
  );
  const touching = story.activity.slice(0, since).filter(({ type, when }) => {
    if (!type.startsWith('movement.') || when === null) return false;
    const { event, others = [] }: { event: string; others?: string[] } = JSON.parse(when)[2];
    return [event, ...others].some(isIn);
  });
  const partners = new Set([...touching.map(({ subject }) => subject), ...taken]);
  const own = [...story.events.values()].filter(
    ({ id, timestamp }) => partners.has(String(id)) || isIn(timestamp),
  );
  const first = reversedBy(story, own);
  const all = [...partners, ...idsOf(first), ...idsOf(reversedBy(story, first))];
  return new Set(all.flatMap((id) => [id, ...story.reportsOf(id)]));
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => String(id));

/** The events that some events of a story name by the reference of their payment. */
function reversedBy(story: Story, rows: readonly Row[]): Row[] {
  const named = rows.flatMap(({ source, metadata = null }) => {
    if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return [];
    const { reverses = null, stripe_charge = null } = metadata;
    return [reverses, stripe_charge].map((reference) => ({ source, reference }));
  });
  return [...story.events.values()].filter(({ source, external_id = null }) =>
    named.some(
      (one) => one.source === source && one.reference === external_id && external_id !== null,
    ),
  );
}

/** Types of activity whose data every bundle with the activity chain discloses, or may. */
const ALWAYS = [
  ...['signing_key.created', 'signing_key.rotated', 'log.started', 'checkpoint.signed'],
  ...[
    'export.requested',
    'export.made',
    'export.downloaded',
    'max_lateness.changed',
    'ledger.restored',
  ],
];

/** Both chains, with the data of the activity of these subjects, and what the service says of them. */
function chainsOf(
  { story, run }: Shown,
  ids: ReadonlySet<JsonValue | undefined>,
): [string, string][] {
  const lines = story.activity.flatMap(({ entry, disclosure, when, subject, type }) =>
    [entry, when, ids.has(subject) || ALWAYS.includes(type) ? disclosure : null].filter(
      (line) => line !== null,
    ),
  );
  const entries = run.map(({ entry }) => entry);
  return [
    ['entries.ndjson', [story.genesis.decisions, ...entries, ''].join('\n')],
    ['activity.ndjson', [story.genesis.activity, ...lines, ''].join('\n')],
    ['chain_verification.json', verificationOf(run, story.activity)],
  ];
}

/** The Article 12 record of a decision whose metadata describes no use. */
function article12Of(row: Row): Row {
  const { seq = 0, hash = '', prev_hash = '', salts = {}, commitments = {} } = row;
  const { human_in_loop = false, erased_fields = [] } = row;
  const of = (name: string) => row[name] ?? null;
  return {
    ...{ decision_id: of('decision_id'), agent_id: of('agent_id') },
    ...{ action_type: of('action_type'), timestamp: of('timestamp') },
    ...{ created_at: of('created_at'), period_of_use: { start: null, end: null } },
    ...{ inputs: of('inputs'), outputs: of('outputs'), confidence: of('confidence') },
    alternatives: of('alternatives'),
    verifier: { human_in_loop, reviewer_id: null, verifiers: null },
    biometric_search: { reference_database: null, matched_input: null },
    ...{ metadata: of('metadata'), erased_fields },
    tamper_evidence: { seq, epoch: 1, hash, prev_hash, salts, commitments },
  };
}

function article12Text(ledger: string, { start, end }: Range, records: readonly Row[]): string {
  const head =
    '{"format":"decision-ledger/article12/v1","description":"Records of automated decisions in the ' +
    'structure of Article 12 of Regulation (EU) 2024/1689, one a line, by timestamp, then by seq. ' +
    `completeness.json says what they lack.","ledger":"${ledger}",` +
    `"range":{"start":"${start}","end":"${end}"},"records":[`;
  return `${head}${records.map((record) => `\n${JSON.stringify(record)}`).join(',')}\n]}\n`;
}

function verificationOf(
  run: readonly DecisionRecord[],
  activity: readonly ActivityRecord[],
): string {
  const part = (records: readonly (DecisionRecord | ActivityRecord)[]) => {
    const { first: start, last: end } = endsOf(records);
    return { is_valid: true, records_checked: records.length, first_broken_link: null, start, end };
  };
  const statement = {
    ...part(run),
    erased_fields: 0,
    verification_timestamp: '2026-04-16T09:30:00.001Z',
    activity: part(activity),
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

/** The ends of a part of a chain. */
export function endsOf(records: readonly { seq: number; hash: string; prevHash: string }[]) {
  const [first, last] = [records[0], records.at(-1)];
  return {
    first: first ? { seq: first.seq, hash: first.hash, prev_hash: first.prevHash } : null,
    last: last ? { seq: last.seq, hash: last.hash } : null,
  };
}

function sorted(rows: readonly Row[], time: string, id: string): Row[] {
  const key = (row: Row) => `${row[time]} ${String(row[id]).padStart(32, '0')}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

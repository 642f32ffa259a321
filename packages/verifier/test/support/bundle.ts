import { createHash, sign } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { ZipFile } from 'yazl';
import { type TestKey, testKey } from './keys.js';
import { STATEMENT_AGENT, statementText } from './statement.js';
import type { ActivityRecord, DecisionRecord, Json, Row, Story } from './story.js';

export interface Range {
  readonly start: string;
  readonly end: string;
}

export const RANGE: Range = { start: '2026-01-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
const CREATED_AT = '2026-04-16T09:30:00.000Z';

export interface DraftOptions {
  readonly range?: Range;
  readonly key?: TestKey;
  readonly formerKeys?: readonly TestKey[];
  readonly exportType?: 'forensic' | 'compliance' | 'insurance' | 'statement';
  /** Sequence number of the activity chain when the export began. */
  readonly since?: number;
}

/** A bundle before it is signed: its files and manifest may still be changed. */
export interface Draft {
  readonly files: Map<string, Buffer>;
  /** Without `files`. */
  readonly manifest: Json;
  readonly key: TestKey;
}

export function draftOf(story: Story, options: DraftOptions = {}): Draft {
  const { range = RANGE, key = testKey('first'), exportType = 'forensic' } = options;
  const isIn = ({ timestamp }: Row) =>
    range.start <= String(timestamp) && String(timestamp) < range.end;
  const inRange = story.decisions.filter(({ row }) => isIn(row));
  const isShown = ({ row }: DecisionRecord) =>
    exportType !== 'statement' || row.agent_id === STATEMENT_AGENT;
  const [first, last] = [inRange[0], inRange.at(-1)];
  const run = story.decisions.filter(
    ({ seq }) => seq >= (first?.seq ?? 1) && seq <= (last?.seq ?? 0),
  );
  const since = options.since ?? story.activity.length;
  const shown = { story, range, run, since, inRange: inRange.map(({ row }) => row) };
  const activity = endsOf(story.activity);
  const decisions = {
    count: inRange.filter(isShown).length,
    erased_fields: inRange.flatMap(({ row }) => row.erased_fields).length,
    ...endsOf(run),
  };
  const keys = [...(options.formerKeys ?? []), key];
  const files = new Map<string, string>([
    ['README.txt', 'What this is.\n'],
    ['keys.json', keysOf(keys, key)],
    ['ledger-pubkey.pem', key.pem],
    ...CONTENTS[exportType](shown),
    ...(exportType === 'insurance' ? [] : [statementOf(run, story.activity)]),
  ]);
  const manifest: Json = {
    ...{ format: 'decision-ledger/bundle/v1', export_id: 'exp_00000000000000000000000001' },
    ...{ export_type: exportType, organisation: story.organisation, ledger: story.ledger },
    ...{ mode: story.mode, created_at: CREATED_AT, range: { ...range }, version: '0.1.0' },
    ...(exportType !== 'insurance' && {
      decisions,
      activity: { since, ...activity },
    }),
    signing_key: { fingerprint: key.fingerprint, algorithm: 'RSASSA-PKCS1-v1_5 SHA-256' },
  };
  const bytes = [...files].map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]);
  return { files: new Map(bytes), manifest, key };
}

interface Shown {
  readonly story: Story;
  readonly range: Range;
  readonly run: readonly DecisionRecord[];
  readonly inRange: readonly Row[];
  readonly since: number;
}

const CONTENTS = {
  forensic: ({ story, range, run, inRange, since }: Shown): [string, string][] => {
    const before = new Set(story.activity.slice(0, since).map(({ subject }) => subject));
    const events = [...story.events.values()].filter(
      ({ id, timestamp }) =>
        before.has(String(id)) && range.start <= String(timestamp) && String(timestamp) < range.end,
    );
    const ids = new Set([
      ...inRange.map(({ decision_id }) => decision_id),
      ...events.map(({ id }) => id),
    ]);
    const links = [...story.links.values()].filter(
      ({ id, decision_id = null, financial_event_id = null }) =>
        before.has(String(id)) && (ids.has(decision_id) || ids.has(financial_event_id)),
    );
    for (const { id } of links) ids.add(id);
    return [
      ['decisions.json', arrayText(sorted(inRange, 'timestamp', 'seq'))],
      ['events.json', arrayText(sorted(events, 'timestamp', 'id'))],
      ['links.json', arrayText(sorted(links, 'created_at', 'id'))],
      [
        'entries.ndjson',
        [story.genesis.decisions, ...run.map(({ entry }) => entry), ''].join('\n'),
      ],
      ['activity.ndjson', activityText(story, ids)],
    ];
  },
  compliance: ({ story, range, inRange }: Shown): [string, string][] => {
    const records = sorted(inRange, 'timestamp', 'seq').map((row) => article12Of(row));
    return [
      ['genesis.json', `${story.genesis.decisions}\n`],
      ['article12.json', article12Text(story.ledger, range, records)],
      ['article12.csv', 'decision_id\r\n'],
      ['completeness.json', `{\n  "outside_range": 1\n}\n`],
    ];
  },
  statement: ({ story, run, range, since }: Shown): [string, string][] => {
    const { text, ids } = statementText(story, range, since);
    return [
      ['statement.json', text],
      [
        'entries.ndjson',
        [story.genesis.decisions, ...run.map(({ entry }) => entry), ''].join('\n'),
      ],
      ['activity.ndjson', activityText(story, ids)],
    ];
  },
  insurance: (): [string, string][] => [['insurance.json', '{"decisions":40}\n']],
};

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

/** activity.ndjson, with the data of these subjects. */
export function activityText(story: Story, ids: ReadonlySet<JsonValue | undefined>): string {
  const lines = story.activity.flatMap(({ entry, disclosure, when, subject }) =>
    [entry, when, ids.has(subject) ? disclosure : null].filter((line) => line !== null),
  );
  return [story.genesis.activity, ...lines, ''].join('\n');
}

function statementOf(
  run: readonly DecisionRecord[],
  activity: readonly ActivityRecord[],
): [string, string] {
  const part = (records: readonly (DecisionRecord | ActivityRecord)[]) => {
    const { first: start, last: end } = endsOf(records);
    return { is_valid: true, records_checked: records.length, first_broken_link: null, start, end };
  };
  const statement = {
    ...part(run),
    erased_fields: 0,
    verification_timestamp: CREATED_AT,
    activity: part(activity),
  };
  return ['chain_verification.json', `${JSON.stringify(statement, null, 2)}\n`];
}

function endsOf(records: readonly { seq: number; hash: string; prevHash: string }[]) {
  const [first, last] = [records[0], records.at(-1)];
  return {
    first: first ? { seq: first.seq, hash: first.hash, prev_hash: first.prevHash } : null,
    last: last ? { seq: last.seq, hash: last.hash } : null,
  };
}

function keysOf(keys: readonly TestKey[], current: TestKey): string {
  const signing_keys = keys.map((key) => ({
    fingerprint: key.fingerprint,
    public_key: key.pem,
    created_at: '2026-01-05T08:00:00.000Z',
    retired_at: key === current ? null : '2026-02-01T00:00:00.000Z',
  }));
  return `${JSON.stringify({ signing_keys, api_keys: [] }, null, 2)}\n`;
}

export function arrayText(rows: readonly JsonValue[]): string {
  return `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}${rows.length > 0 ? '\n' : ''}]\n`;
}

function sorted(rows: readonly Row[], time: string, id: string): Row[] {
  const key = (row: Row) => `${row[time]} ${String(row[id]).padStart(32, '0')}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

export interface PackOptions {
  /** Replaces the text of manifest.json. */
  readonly manifestText?: (text: string) => string;
  /** Another signature. */
  readonly signature?: (manifest: Buffer) => Buffer;
  readonly compress?: boolean;
  /** Whether sizes follow the files, as when they are streamed. */
  readonly streamed?: boolean;
}

/** Lists the files, signs the manifest and packs everything as the service does. */
export async function pack(draft: Draft, options: PackOptions = {}): Promise<Buffer> {
  const files = [...draft.files].map(([name, bytes]) => ({
    ...{ name, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length },
  }));
  const text = `${JSON.stringify({ ...draft.manifest, files }, null, 2)}\n`;
  const manifest = Buffer.from(options.manifestText?.(text) ?? text);
  const signature = options.signature?.(manifest) ?? sign('sha256', manifest, draft.key.privateKey);
  return zip([...draft.files, ['manifest.json', manifest], ['manifest.sig', signature]], options);
}

export async function zip(
  files: readonly (readonly [string, Buffer])[],
  { compress = false, streamed = true }: PackOptions = {},
): Promise<Buffer> {
  const archive = new ZipFile();
  // In local time, as in the archive, so that it is the same everywhere.
  const mtime = new Date(2026, 3, 16, 9, 30);
  const options = { mtime, mode: 0o100644, compress, forceDosTimestamp: true };
  for (const [name, bytes] of files) {
    if (streamed)
      archive.addReadStream(Readable.from([bytes], { objectMode: false }), name, options);
    else archive.addBuffer(bytes, name, options);
  }
  archive.end();
  return buffer(archive.outputStream);
}

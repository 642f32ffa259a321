import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import { MerkleOracle } from '../../../proof/test/support/merkle-oracle.js';
import type { Draft } from './bundle.js';
import {
  contentsOf,
  countedIn,
  decisionsIn,
  type ExportType,
  endsOf,
  type Range,
} from './contents.js';
import { type TestKey, testKey } from './keys.js';
import {
  checkpointOf,
  logKeysOf,
  type Round,
  recordKeys,
  signRound,
  startLogs,
  treeOf,
} from './logs.js';
import type { ActivityRecord, DecisionRecord, Json, Story } from './story.js';

const ALL: Range = { start: '2026-01-01T00:00:00.000Z', end: '2026-04-01T00:00:00.000Z' };
const CREATED_AT = '2026-04-16T09:30:00.000Z';
const EXPORT = 'exp_00000000000000000000000001';

export interface DraftOptions {
  readonly range?: Range;
  readonly key?: TestKey;
  readonly formerKeys?: readonly TestKey[];
  readonly exportType?: ExportType;
  /** The record that asked for the export. */
  readonly request?: ActivityRecord;
  /** Sequence number of the activity chain when the export began. Default: that of the request. */
  readonly since?: number;
  readonly basis?: 'recorded' | 'decided';
  /** For a range of decided times: from when on no decision of it is recorded. Default: its end. */
  readonly until?: string;
  /** Seq of the last decision that the maker shows. Default: as the service chooses it. */
  readonly last?: number;
}

/** Records that an export was asked for. */
export function requestExport(
  story: Story,
  { exportType = 'forensic', range = ALL }: DraftOptions = {},
): ActivityRecord {
  const data = { export_type: exportType, start_date: range.start, end_date: range.end };
  return story.act('export.requested', EXPORT, data);
}

/** Asks for a bundle of all that a story tells so far, signs a round, and makes it. The story goes on. */
export function draftOf(story: Story, options: DraftOptions = {}): Draft {
  const keys = keysOf(options);
  if (story.activity.some(({ type }) => type === 'log.started')) recordKeys(story, keys);
  else startLogs(story, keys);
  const request = options.request ?? requestExport(story, options);
  return draftAt(story, signRound(story), { ...options, request });
}

/** A bundle with the logs of a round that was signed before. The story forgets the request unless it is given. */
export function draftAt(story: Story, round: Round, options: DraftOptions = {}): Draft {
  const request = options.request ?? requestExport(story, options);
  const given = { ...options, request, since: options.since ?? request.seq };
  const draft =
    options.exportType === 'insurance' ? sums(story, round, given) : records(story, round, given);
  if (options.request === undefined) story.activity.pop();
  return draft;
}

interface Given extends DraftOptions {
  readonly request: ActivityRecord;
  readonly since: number;
}

function keysOf({ key = testKey('first'), formerKeys = [] }: DraftOptions): TestKey[] {
  return [...formerKeys, key];
}

function records(story: Story, round: Round, options: Given): Draft {
  const { range = ALL, exportType = 'forensic', basis = 'recorded', since } = options;
  const run = runOf(story, range, options.until ?? range.end).filter(
    ({ seq }) => seq <= (options.last ?? seq),
  );
  const head = headOf(story, round, options.request);
  return draftWith(story, round, options, {
    files: [
      ...contentsOf(exportType, { story, range, run, since }),
      ['decisions.range.json', rangeProofOf(story, run, round.decisions)],
    ],
    range: { ...range, basis },
    runs: {
      decisions: {
        count: countedIn({ run, range }, exportType).length,
        erased_fields: decisionsIn(run, range).flatMap(({ row }) => row.erased_fields).length,
        ...endsOf(run),
        head,
      },
      activity: { since, ...endsOf(story.activity) },
    },
  });
}

/** The end of the decisions when the export began. */
function headOf(story: Story, round: Round, { entry }: ActivityRecord): Json | null {
  const { created_at } = JSON.parse(entry);
  const head = story.decisions
    .slice(0, round.decisions)
    .findLast(({ row }) => String(row.created_at) <= created_at);
  return head === undefined ? null : { seq: head.seq, hash: head.hash };
}

function sums(story: Story, round: Round, options: Given): Draft {
  const { range = ALL } = options;
  const files: [string, string][] = [
    ...contentsOf('insurance', { story, range, run: [], since: options.since }),
    ['activity.proofs.json', proofsOf(story, round.activity)],
  ];
  return draftWith(story, round, options, { files, range: { ...range }, runs: {} });
}

/** What differs between bundles of records and of sums. */
interface Parts {
  readonly files: readonly [string, string][];
  readonly range: Json;
  readonly runs: Json;
}

function draftWith(story: Story, round: Round, options: Given, parts: Parts): Draft {
  const { key = testKey('first'), exportType = 'forensic', request } = options;
  const files = new Map<string, string>([
    ['README.txt', 'What this is.\n'],
    ['CERTIFICATE.md', '# Certification\n'],
    ['custody.json', custodyOf(request, key)],
    ...parts.files,
    ['decisions.checkpoint', checkpointOf(story, 'decisions', round.decisions)],
    ['activity.checkpoint', checkpointOf(story, 'activity', round.activity)],
    ['keys.json', keysText(keysOf(options), key)],
    ['ledger-pubkey.pem', key.pem],
  ]);
  const bytes = [...files].map(([name, text]): [string, Buffer] => [name, Buffer.from(text)]);
  const manifest: Json = {
    ...{ format: 'decision-ledger/bundle/v1', export_id: EXPORT },
    ...{ export_type: exportType, organisation: story.organisation, ledger: story.ledger },
    ...{ mode: story.mode, created_at: CREATED_AT, range: parts.range, version: '0.1.0' },
    ...parts.runs,
    logs: logKeysOf(story),
    signing_key: { fingerprint: key.fingerprint, algorithm: 'RSASSA-PKCS1-v1_5 SHA-256' },
  };
  return { files: new Map(bytes), manifest, key };
}

/**
 * The run with an entry on each side of its range, as far as the chain has one.
 * @param until the time of recording from which on no decision of the range follows
 */
function runOf(story: Story, { start, end }: { start: string; end: string }, until: string) {
  const before = new Date(Date.parse(start) - 5 * 60_000).toISOString();
  const { decisions } = story;
  const recorded = decisions.map(({ row }) => String(row.created_at));
  const isIn = decisions.map(
    ({ row: { timestamp: at } }) => start <= String(at) && String(at) < end,
  );
  const lower = recorded.filter((at) => at < before).length;
  const upper = recorded.filter((at) => at < until).length + 1;
  const first = Math.max(1, Math.min(lower, isIn.includes(true) ? isIn.indexOf(true) + 1 : lower));
  const last = Math.max(Math.min(upper, decisions.length), isIn.lastIndexOf(true) + 1);
  return decisions.slice(first - 1, last);
}

function rangeProofOf(story: Story, run: readonly DecisionRecord[], size: number): string {
  const { length: hi } = story.decisions.slice(0, run.at(-1)?.seq ?? 0);
  const lo = hi - run.length;
  const left = treeOf(story.decisions.slice(0, lo)).hashes();
  const right = treeOf(story.decisions.slice(hi, size), hi).hashes();
  return `${rangeProofText({ size, lo, left, right })}\n`;
}

/** Types of activity that a bundle of sums proves. */
const PROVEN = [
  ...['signing_key.created', 'signing_key.rotated', 'log.started'],
  ...['export.requested', 'checkpoint.signed'],
];

function proofsOf(story: Story, size: number): string {
  const all = story.activity.slice(0, size);
  const tree = new MerkleOracle(all.map(({ hash }) => Buffer.from(hash, 'hex')));
  const lines = all
    .filter(({ type }) => PROVEN.includes(type))
    .map(({ seq, entry, disclosure }) => {
      const path = tree.path(seq - 1, 0, size).map(encodeBase64);
      return `\n${JSON.stringify({ entry, index: seq - 1, path, data: disclosure })}`;
    });
  return `{"records":[${lines.join(',')}\n]}\n`;
}

function custodyOf({ seq, entry }: ActivityRecord, { fingerprint }: TestKey): string {
  const { created_at: at, actor: by } = JSON.parse(entry);
  const custody = {
    format: 'decision-ledger/custody/v1',
    description:
      'Who asked for this bundle, what made it, and when and with which key it was sealed. What happened ' +
      'afterwards cannot be in it: the ledger records each download of the archive, and GET ' +
      '/api/v1/exports/{export_id}/custody lists the custody up to now.',
    export_id: EXPORT,
    requested: { activity_seq: seq, at, by },
    made: { version: '0.1.0' },
    sealed: { at: CREATED_AT, key_fingerprint: fingerprint },
  };
  return `${JSON.stringify(custody, null, 2)}\n`;
}

function keysText(keys: readonly TestKey[], current: TestKey): string {
  const signing_keys = keys.map((key) => ({
    fingerprint: key.fingerprint,
    public_key: key.pem,
    created_at: '2026-01-05T08:00:00.000Z',
    retired_at: key === current ? null : '2026-02-01T00:00:00.000Z',
  }));
  return `${JSON.stringify({ signing_keys, api_keys: [] }, null, 2)}\n`;
}

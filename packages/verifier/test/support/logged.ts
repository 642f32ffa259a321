import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { signCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { proveInclusion } from '@decision-ledger/proof/tlog/proofs';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import { CompactRange, type TreeNode } from '@decision-ledger/proof/tlog/tree';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { RANGE as ALL, activityText, type Draft, type DraftOptions, draftOf } from './bundle.js';
import { editLines, editManifest, editObject } from './edit.js';
import { testKey } from './keys.js';
import type { ChainRecord, Story } from './story.js';

type Chain = 'decisions' | 'activity';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEEDS = { decisions: 1, activity: 2 };
const PROVEN = ['signing_key.created', 'signing_key.rotated', 'log.started', 'export.requested'];
const ALWAYS = [...PROVEN, 'export.made', 'export.downloaded', 'max_lateness.changed'];
const EXPORT = 'exp_00000000000000000000000001';

export const originOf = (story: Story, chain: Chain) =>
  `decision-ledger/${story.ledger}/${chain}${story.mode === 'test' ? '/test' : ''}`;

/** The log of a chain, with a private key that everybody knows: 32 times the same byte. */
function logOf(story: Story, chain: Chain, seed = SEEDS[chain]) {
  const der = Buffer.concat([PKCS8, Buffer.alloc(32, seed)]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const key = verifierKey(originOf(story, chain), spki.subarray(-32));
  return { key, sign: (message: Uint8Array) => sign(null, message, privateKey) };
}

const leaf = ({ hash }: ChainRecord) => Buffer.from(hash, 'hex');

function treeOf(records: readonly ChainRecord[], begin = 0): CompactRange {
  const tree = CompactRange.empty(begin);
  for (const record of records) tree.append(leaf(record));
  return tree;
}

/** The signed checkpoint of the first records of a chain. */
export function checkpointOf(story: Story, chain: Chain, size: number, seed?: number): string {
  const log = logOf(story, chain, seed);
  const root = treeOf(story[chain].slice(0, size)).root();
  return signCheckpoint({ origin: log.key.name, size, root }, log.key, log.sign);
}

/** Records the key that signs, and the start of both logs. */
export function startLogs(story: Story): void {
  const { fingerprint, pem } = testKey('first');
  story.act('signing_key.created', fingerprint, { public_key: pem });
  for (const chain of ['decisions', 'activity'] as const) {
    const origin = originOf(story, chain);
    const verifier_key = verifierKeyText(logOf(story, chain).key);
    story.act('log.started', origin, { origin, verifier_key }, 'engine');
  }
}

/** What a round signed. */
export interface Round {
  readonly decisions: number;
  readonly activity: number;
}

export function signRound(story: Story): Round {
  const { length: size } = story.decisions;
  const origin = originOf(story, 'decisions');
  const root = encodeBase64(treeOf(story.decisions).root());
  story.act('checkpoint.signed', origin, { origin, size, root }, 'engine');
  return { decisions: size, activity: story.activity.length };
}

/** Changes the limit of lateness. */
export function limitLateness(story: Story, max_lateness_seconds: number | null): void {
  story.act('max_lateness.changed', story.ledger, { max_lateness_seconds });
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

interface LoggedOptions extends DraftOptions {
  readonly basis?: 'recorded' | 'decided';
  /** For a range of decided times: from when on no decision of it is recorded. Default: its end. */
  readonly until?: string;
  /** Seq of the last entry that the maker shows. Default: as the service chooses it. */
  readonly last?: number;
  /** The record that asked for it. Default: one at the end, which the story forgets. */
  readonly request?: ChainRecord;
}

/** Records that an export was asked for. */
export function requestExport(
  story: Story,
  { exportType = 'forensic', range = ALL }: DraftOptions,
) {
  const data = { export_type: exportType, start_date: range.start, end_date: range.end };
  return story.act('export.requested', EXPORT, data);
}

/** A bundle of the second format, made when a round was signed. */
export function loggedDraft(story: Story, round: Round, options: LoggedOptions = {}): Draft {
  const request = options.request ?? requestExport(story, options);
  const draft = withCustody(draftWithLogs(story, round, options), request);
  if (options.request === undefined) story.activity.pop();
  return draft;
}

/** Adds what every bundle of the second format has for counsel. */
function withCustody(draft: Draft, { seq, entry }: ChainRecord): Draft {
  const { created_at: at, actor: by } = JSON.parse(entry);
  const { version = '', created_at = '' } = draft.manifest;
  const custody = {
    format: 'decision-ledger/custody/v1',
    description:
      'Who asked for this bundle, what made it, and when and with which key it was sealed. What happened ' +
      'afterwards cannot be in it: the ledger records each download of the archive, and GET ' +
      '/api/v1/exports/{export_id}/custody lists the custody up to now.',
    export_id: EXPORT,
    requested: { activity_seq: seq, at, by },
    made: { version },
    sealed: { at: created_at, key_fingerprint: draft.key.fingerprint },
  };
  draft.files.set('CERTIFICATE.md', Buffer.from('# Certification\n'));
  draft.files.set('custody.json', Buffer.from(`${JSON.stringify(custody, null, 2)}\n`));
  return draft;
}

function draftWithLogs(story: Story, round: Round, options: LoggedOptions): Draft {
  const draft = draftOf(story, options);
  const range = { ...Object(draft.manifest.range) };
  const { basis = 'recorded', until = range.end } = options;
  const run = runOf(story, range, until).filter(({ seq }) => seq <= (options.last ?? seq));
  const [first, last, head] = [run[0], run.at(-1), story.decisions[round.decisions - 1]];
  const ends = {
    first: first ? { seq: first.seq, hash: first.hash, prev_hash: first.prevHash } : null,
    last: last ? { seq: last.seq, hash: last.hash } : null,
  };
  if (options.exportType === 'compliance') addActivity(draft, story, range);
  editLines(draft, 'activity.ndjson', (lines) => disclosed(story, lines));
  draft.files.set(
    'entries.ndjson',
    textOf([story.genesis.decisions, ...run.map((one) => one.entry)]),
  );
  editObject(draft, 'chain_verification.json', {
    ...{ start: ends.first, end: ends.last, records_checked: run.length },
    verification_timestamp: '2026-04-16T09:30:00.001Z',
  });
  for (const chain of ['decisions', 'activity'] as const) {
    draft.files.set(`${chain}.checkpoint`, Buffer.from(checkpointOf(story, chain, round[chain])));
  }
  const { length: hi } = story.decisions.slice(0, last?.seq ?? 0);
  const lo = hi - run.length;
  const left = treeOf(story.decisions.slice(0, lo)).hashes();
  const right = treeOf(story.decisions.slice(hi, round.decisions), hi).hashes();
  const proof = rangeProofText({ size: round.decisions, lo, left, right });
  draft.files.set('decisions.range.json', Buffer.from(`${proof}\n`));
  return editManifest(draft, {
    ...{ format: 'decision-ledger/bundle/v2', 'range.basis': basis },
    ...{ 'decisions.first': ends.first, 'decisions.last': ends.last },
    'decisions.head': head ? { seq: head.seq, hash: head.hash } : null,
    logs: {
      decisions: verifierKeyText(logOf(story, 'decisions').key),
      activity: verifierKeyText(logOf(story, 'activity').key),
    },
  });
}

/** A bundle of sums of the second format. */
export async function loggedSums(
  story: Story,
  round: Round,
  options: DraftOptions = {},
): Promise<Draft> {
  const draft = draftOf(story, { ...options, exportType: 'insurance' });
  for (const chain of ['decisions', 'activity'] as const) {
    draft.files.set(`${chain}.checkpoint`, Buffer.from(checkpointOf(story, chain, round[chain])));
  }
  const leaves = story.activity.slice(0, round.activity).map(leaf);
  const nodes = async (all: readonly TreeNode[]) =>
    all.map(({ level, index }) => {
      const tree = CompactRange.empty(0);
      for (const one of leaves.slice(index * 2 ** level, (index + 1) * 2 ** level))
        tree.append(one);
      return tree.root();
    });
  const records = [];
  for (const { seq, entry, disclosure } of story.activity.slice(0, round.activity)) {
    const { type } = JSON.parse(entry);
    if (![...PROVEN, 'checkpoint.signed'].includes(type)) continue;
    const path = (await proveInclusion(seq - 1, round.activity, nodes)).map(encodeBase64);
    records.push({ entry, index: seq - 1, path, data: disclosure });
  }
  const lines = records.map((record) => `\n${JSON.stringify(record)}`);
  draft.files.set('activity.proofs.json', Buffer.from(`{"records":[${lines.join(',')}\n]}\n`));
  const request = story.activity.find(({ subject }) => subject === EXPORT);
  if (request === undefined) throw new Error('nobody asked for the bundle');
  return editManifest(withCustody(draft, request), {
    format: 'decision-ledger/bundle/v2',
    logs: {
      decisions: verifierKeyText(logOf(story, 'decisions').key),
      activity: verifierKeyText(logOf(story, 'activity').key),
    },
  });
}

/** Bundles of records for regulators had no chains in the first format. */
function addActivity(draft: Draft, story: Story, { start, end }: { start: string; end: string }) {
  const isIn = (at: string) => start <= at && at < end;
  const shown = story.decisions.filter(({ row }) => isIn(String(row.timestamp)));
  const ids = new Set(shown.map(({ row }) => row.decision_id));
  draft.files.delete('genesis.json');
  draft.files.set('activity.ndjson', Buffer.from(activityText(story, ids)));
}

/** Adds the disclosures of what every bundle of the second format discloses. */
function disclosed(story: Story, lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    if (!line.startsWith('{') || lines[at + 1]?.startsWith('[')) return [line];
    const { type, seq } = JSON.parse(line);
    const disclosure = story.activity[seq - 1]?.disclosure ?? null;
    const isShown = [...ALWAYS, 'checkpoint.signed'].includes(type) && disclosure !== null;
    return isShown ? [line, disclosure] : [line];
  });
}

function textOf(lines: readonly string[]): Buffer {
  return Buffer.from([...lines, ''].join('\n'));
}

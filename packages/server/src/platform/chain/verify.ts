import type { Finding, StoredRecord, Walk, WalkStart } from '@decision-ledger/proof/chain';
import { leafHash } from '@decision-ledger/proof/hash';
import sql, { empty, raw } from 'sql-template-tag';
import { uuidToId } from '../ids.js';
import type { LedgerReader } from '../ledger.js';
import { instant } from '../statement.js';
import { checkGenesis } from './genesis.js';
import { type ChainName, type ChainState, type ChainTable, readChain } from './head.js';

/** The records of a chain, as verification needs them. */
export interface ChainSource<Columns> extends ChainTable {
  walk(start: WalkStart): Walk<Columns>;
  /** In chain order, with one short statement. */
  records(ledger: LedgerReader, span: RecordSpan): Promise<RecordToVerify<Columns>[]>;
  /**
   * A quicker check of the same records, which words no finding.
   * @param at the record before the span
   * @returns null unless all are plainly valid: then the walk decides
   */
  passed?(ledger: LedgerReader, span: RecordSpan, at: WalkStart): Promise<PassedRecords | null>;
}

/** Records that were found valid, with the last of them. */
export interface PassedRecords {
  readonly seq: number;
  readonly hash: string;
  readonly records: number;
  /** Fields whose payload is missing because of a recorded erasure. */
  readonly erased: number;
  /** Bytes of the largest. */
  readonly largest: number;
}

export interface RecordToVerify<Columns> {
  readonly record: StoredRecord<Columns>;
  /** Public identifier of the record. */
  readonly id: string;
  readonly epoch: number;
  /** A finding about columns that are not in the entry. */
  readonly finding: Finding | null;
  readonly bytes: number;
}

export interface RecordSpan extends SeqBounds {
  readonly limit: number;
}

export interface VerifyRequest {
  readonly range: WalkRange;
  /** A record known from a receipt or bundle. */
  readonly anchor: { readonly seq: number; readonly hash: string } | null;
  /** The records to verify, instead of those of the range. */
  readonly run?: SeqBounds;
  /** The last record to verify; default: the head. */
  readonly lastSeq?: number;
  /** The end of an earlier verification of the whole chain, to continue from. */
  readonly walked?: Verification['head'];
}

export interface Verification {
  readonly recordsChecked: number;
  readonly erasedFields: number;
  readonly finding: Finding | null;
  /** The last verified record. */
  readonly head: { readonly seq: number; readonly hash: string };
}

export interface VerificationProgress {
  readonly checked: number;
  readonly total: number;
}

const STEP = { bytes: 1024 * 1024, records: 1000 };

/** Verifies the shortest contiguous part of a chain that covers the range; without a range, all of it. */
export async function verifyChain<Columns>(
  ledger: LedgerReader,
  source: ChainSource<Columns>,
  request: VerifyRequest,
  onProgress: (progress: VerificationProgress) => void = () => undefined,
): Promise<Verification> {
  const state = await readChain(ledger, source.chain);
  if (state === null) return { ...NOTHING, finding: NO_HEAD };
  const { range, run: asked } = request;
  const whole = asked === undefined && range.start === undefined && range.end === undefined;
  const last = Math.min(request.lastSeq ?? state.seq, state.seq);
  const first = (request.walked?.seq ?? 0) + 1;
  const bounds = whole ? { first, last } : (asked ?? (await selectBounds(ledger, source, range)));
  const run: Run =
    bounds === null
      ? { first: 1, last: 0 }
      : { first: bounds.first, last: Math.min(bounds.last, last) };
  const from = whole ? { ...run, before: request.walked?.hash } : run;
  const walked = await walkRun(ledger, source, state, from, onProgress);
  const finding =
    walked.finding ??
    (whole ? await checkEnd(ledger, source.chain) : null) ??
    (await checkAnchor(ledger, source, state, request.anchor));
  return { ...walked, finding };
}

const NOTHING = { recordsChecked: 0, erasedFields: 0, head: { seq: 0, hash: '' } };
/** Every ledger has chains and heads, so a missing head is a finding. */
const NO_HEAD = { seq: 0, id: null, kind: 'head', expected: null, actual: null } as const;

interface Run extends SeqBounds {
  /** Hash of the record before the first, if it was verified earlier. */
  readonly before?: string | undefined;
}

async function walkRun<Columns>(
  ledger: LedgerReader,
  source: ChainSource<Columns>,
  state: ChainState,
  run: Run,
  onProgress: (progress: VerificationProgress) => void,
): Promise<Verification> {
  const genesis = checkGenesis(state, ledger.scope, source.chain);
  const start = await startOf(ledger, source, state, run);
  const walk = source.walk(start);
  let finding = genesis ?? start.finding;
  let limit = 50;
  while (finding === null && walk.seq < run.last) {
    const span = { first: walk.seq + 1, last: run.last, limit };
    const at = { ledger: start.ledger, epoch: state.epoch, seq: walk.seq, hash: walk.hash };
    const passed = (await source.passed?.(ledger, span, at)) ?? null;
    if (passed === null) {
      const records = await source.records(ledger, span);
      if (records.length === 0) break;
      finding = stepAll(walk, state.epoch, records);
      const largest = records.reduce((max, { bytes }) => Math.max(max, bytes), 1);
      limit = nextLimit(records.length, largest);
    } else {
      walk.advance(passed);
      limit = nextLimit(passed.records, passed.largest);
    }
    onProgress({ checked: walk.checked, total: run.last - run.first + 1 });
  }
  if (finding === null && run.last === state.seq) finding = walk.finish(state);
  else if (finding === null && walk.seq < run.last) finding = missing(walk.seq + 1);
  const isPassed =
    finding !== null &&
    (finding.kind === 'column' || finding.kind === 'commitment') &&
    finding.seq === walk.seq;
  return {
    // The walk stops before a record that it finds broken, but after one that the source finds broken.
    recordsChecked: walk.checked - (isPassed ? 1 : 0),
    erasedFields: walk.erased,
    finding,
    head: { seq: walk.seq, hash: walk.hash },
  };
}

function stepAll<Columns>(
  walk: Walk<Columns>,
  expected: number,
  records: readonly RecordToVerify<Columns>[],
): Finding | null {
  for (const { record, id, epoch, finding } of records) {
    const found = walk.step(record) ?? finding;
    if (found !== null) return found;
    if (epoch !== expected) {
      const { seq } = record;
      return { seq, id, kind: 'column', expected, actual: epoch, detail: 'epoch' };
    }
  }
  return null;
}

/** Adapts the batch size to the size of the records, to bound memory. */
function nextLimit(records: number, largest: number): number {
  const fitting = Math.floor(STEP.bytes / largest);
  return Math.max(1, Math.min(STEP.records, fitting, records * 4));
}

async function startOf<Columns>(
  own: LedgerReader,
  source: ChainSource<Columns>,
  state: ChainState,
  { first, before: walked }: Run,
): Promise<WalkStart & { readonly finding: Finding | null }> {
  const ledger = uuidToId('led', own.ledgerId);
  const { epoch } = state;
  if (first <= 1) {
    return { ledger, epoch, seq: 0, hash: leafHash(state.genesis), finding: null };
  }
  if (walked !== undefined) return { ledger, epoch, seq: first - 1, hash: walked, finding: null };
  const span = { first: first - 1, last: first - 1, limit: 1 };
  const [before] = await source.records(own, span);
  const hash = before === undefined ? '' : leafHash(before.record.entry);
  const finding = before === undefined ? missing(first - 1) : null;
  return { ledger, epoch, seq: first - 1, hash, finding };
}

function missing(seq: number): Finding {
  return { seq, id: null, kind: 'gap', expected: seq, actual: null };
}

/** Records and head are written together, so a difference means that one was changed outside the service. */
async function checkEnd(ledger: LedgerReader, chain: ChainName): Promise<Finding | null> {
  const reach = await selectReach(ledger, chain);
  if (reach === null) return NO_HEAD;
  const { last, head, lastCreatedAt, headCreatedAt } = reach;
  if (last > head) return { seq: head + 1, id: null, kind: 'head', expected: head, actual: last };
  if (lastCreatedAt === null || lastCreatedAt === headCreatedAt) return null;
  const times = { expected: lastCreatedAt, actual: headCreatedAt };
  return { seq: head, id: null, kind: 'head', ...times, detail: 'created_at' };
}

async function checkAnchor<Columns>(
  ledger: LedgerReader,
  source: ChainSource<Columns>,
  state: ChainState,
  anchor: VerifyRequest['anchor'],
): Promise<Finding | null> {
  if (anchor === null) return null;
  const expected = anchor.hash;
  if (anchor.seq > state.seq) {
    return { seq: state.seq + 1, id: null, kind: 'head', expected, actual: null };
  }
  const span = { first: anchor.seq, last: anchor.seq, limit: 1 };
  const [found] = await source.records(ledger, span);
  const actual = found === undefined ? null : leafHash(found.record.entry);
  return actual === expected ? null : { seq: anchor.seq, id: null, kind: 'head', expected, actual };
}

interface WalkRange {
  /** Milliseconds since the epoch; the end is excluded. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

interface SeqBounds {
  readonly first: number;
  readonly last: number;
}

/** The first and last seq of the records in a time range; null if there are none. */
async function selectBounds(
  ledger: LedgerReader,
  { chain, timeColumn }: ChainTable,
  { start, end }: WalkRange,
): Promise<SeqBounds | null> {
  const time = raw(`"${timeColumn}"`);
  const from = start === undefined ? empty : sql` and ${time} >= ${instant(start)}`;
  const to = end === undefined ? empty : sql` and ${time} < ${instant(end)}`;
  const [row] = await ledger.query<{ first: number | null; last: number | null }>(sql`
    select min(seq) as first, max(seq) as last from ${raw(chain)}
    where ledger_id = ${ledger.ledgerId}${from}${to}`);
  if (row === undefined || row.first === null || row.last === null) return null;
  return { first: row.first, last: row.last };
}

export interface Reach {
  readonly last: number;
  readonly head: number;
  /** created_at of the head's record, in ms; null if the record is missing. */
  readonly lastCreatedAt: number | null;
  readonly headCreatedAt: number;
}

/** The last stored record and the head, read in one snapshot. */
async function selectReach(ledger: LedgerReader, chain: ChainName): Promise<Reach | null> {
  const [row] = await ledger.query<Reach>(sql`
    select h.seq as head, (extract(epoch from h.created_at) * 1000)::bigint as "headCreatedAt",
      (select (extract(epoch from r.created_at) * 1000)::bigint from ${raw(chain)} r
        where r.ledger_id = ${ledger.ledgerId} and r.seq = h.seq) as "lastCreatedAt",
      coalesce((select max(seq) from ${raw(chain)} where ledger_id = ${ledger.ledgerId}), 0) as last
    from chain_heads h where h.ledger_id = ${ledger.ledgerId} and h.chain = ${chain}`);
  return row ?? null;
}

/** The name of the record id in each chain. */
const ID_NAMES = { decisions: 'decision_id', activity: 'activity_id' } as const;

/** A finding as shown in responses, on the command line and in bundles; null if there is none. */
export function describeBrokenLink<Chain extends ChainName>(finding: Finding | null, chain: Chain) {
  if (finding === null) return null;
  const { id, ...found } = finding;
  return { ...found, [ID_NAMES[chain]]: id };
}

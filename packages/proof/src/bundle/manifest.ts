import type { JsonValue } from '../json.js';
import {
  BUNDLE_FORMAT,
  type ChainName,
  EXPORT_TYPES,
  type ExportType,
  holdsRecords,
  RANGE_BASES,
  type RangeBasis,
  type TypeHolding,
  takesFilter,
} from './format.js';
import { parseSelection, type Selection } from './selection.js';
import { Shape, ShapeError } from './shape.js';

export const SIGNATURE_ALGORITHM = 'RSASSA-PKCS1-v1_5 SHA-256';

/** A record of a chain. Hashes are SHA-256 in lower-case hexadecimal. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** The first record of a run, with the hash of the record before it. */
export interface RunStart extends ChainPoint {
  readonly prev_hash: string;
}

/** A contiguous part of a chain; both ends are null if it is empty. */
export interface ChainRun {
  readonly first: RunStart | null;
  readonly last: ChainPoint | null;
}

/** A run that contains all decisions of the range, and the entries that show where the range begins and ends. */
export interface DecisionRun extends ChainRun {
  /** Decisions in the range; with a selection, those of them that it chose. */
  readonly count: number;
  readonly erased_fields: number;
  /** The end of the chain when the export began; null if the chain is empty. */
  readonly head: ChainPoint | null;
}

/** The activity chain from its start to the copied end. */
export interface ActivityRun extends ChainRun {
  /** Seq of the end of the chain when the export began. */
  readonly since: number;
}

export interface ListedFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The verifier keys of both transparency logs. */
export type LogKeys = Readonly<Record<ChainName, string>>;

interface ManifestHead {
  readonly format: typeof BUNDLE_FORMAT;
  readonly export_id: string;
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: 'live' | 'test';
  /** Times are RFC 3339 in UTC with milliseconds. */
  readonly created_at: string;
  /** start ≤ timestamp < end, and start < end. The basis is null for a bundle of sums. */
  readonly range: {
    readonly start: string;
    readonly end: string;
    readonly basis: RangeBasis | null;
  };
  /** Null if the bundle shows everything of its range. */
  readonly selection: Selection | null;
  /** Version of the service that created the bundle. */
  readonly version: string;
  readonly logs: LogKeys;
  readonly signing_key: { readonly fingerprint: string; readonly algorithm: string };
}

interface ChainRuns {
  readonly decisions: DecisionRun;
  readonly activity: ActivityRun;
}

interface ListedFiles {
  readonly files: readonly ListedFile[];
}

/** The manifest of a bundle with records. */
export interface RecordsManifest extends ManifestHead, ChainRuns, ListedFiles {
  readonly export_type: TypeHolding<'records'>;
}

interface SumsManifest extends ManifestHead, ListedFiles {
  readonly export_type: TypeHolding<'sums'>;
  readonly decisions?: undefined;
  readonly activity?: undefined;
}

/** The contents of manifest.json. */
export type Manifest = RecordsManifest | SumsManifest;

/** The facts about a bundle of any type that are known before its files are listed. */
export interface BundleFacts extends Omit<ManifestHead, 'format' | 'range'>, ChainRuns {
  readonly export_type: ExportType;
  /** Bundles of sums have no run, so they state no basis. */
  readonly range: { readonly start: string; readonly end: string; readonly basis: RangeBasis };
}

/** The text of manifest.json. The manifest of a bundle of sums has no runs. */
export function manifestText(facts: BundleFacts, files: readonly ListedFile[]): string {
  const { decisions, activity, logs } = facts;
  const hasRecords = holdsRecords(facts.export_type);
  const { start, end, basis } = facts.range;
  const manifest = {
    format: BUNDLE_FORMAT,
    export_id: facts.export_id,
    export_type: facts.export_type,
    organisation: facts.organisation,
    ledger: facts.ledger,
    mode: facts.mode,
    created_at: facts.created_at,
    range: { start, end, ...(hasRecords && { basis }) },
    ...(facts.selection !== null && { selection: facts.selection }),
    version: facts.version,
    ...(hasRecords && {
      decisions: {
        count: decisions.count,
        erased_fields: decisions.erased_fields,
        ...endsOf(decisions),
        head: pointOf(decisions.head),
      },
      activity: { since: activity.since, ...endsOf(activity) },
    }),
    logs: { decisions: logs.decisions, activity: logs.activity },
    signing_key: {
      fingerprint: facts.signing_key.fingerprint,
      algorithm: facts.signing_key.algorithm,
    },
    files: files.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

function endsOf({ first, last }: ChainRun): ChainRun {
  return {
    first: first && { seq: first.seq, hash: first.hash, prev_hash: first.prev_hash },
    last: pointOf(last),
  };
}

function pointOf(point: ChainPoint | null): ChainPoint | null {
  return point && { seq: point.seq, hash: point.hash };
}

/**
 * Parses manifest.json. Unknown members are refused, because nothing would prove them.
 * @param onDuplicate called with each file name that is listed again
 * @throws ShapeError
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { parseManifest } from '@decision-ledger/proof/bundle/manifest';
 * import { readJson } from '@decision-ledger/proof/bundle/shape';
 *
 * const text = await readFile('manifest.json', 'utf8');
 * const { export_type, files } = parseManifest(readJson(text), (name) => {
 *   throw new Error(name + ' is listed twice');
 * });
 * ```
 */
export function parseManifest(value: JsonValue, onDuplicate: (name: string) => void): Manifest {
  const shape = new Shape(value);
  const format = shape.oneOf('format', [BUNDLE_FORMAT]);
  const version = shape.text('version');
  const export_type = shape.oneOf('export_type', EXPORT_TYPES);
  const hasRun = holdsRecords(export_type);
  const isFiltered = takesFilter(export_type) && shape.has('selection');
  const selection = isFiltered ? parseSelection(shape.object('selection')) : null;
  const head = { format, version, selection, ...parseHead(shape, hasRun) };
  const rest = parseTail(shape, onDuplicate);
  const manifest = hasRun
    ? { ...head, export_type, ...parseRuns(shape), ...rest }
    : { ...head, export_type, ...rest };
  shape.done();
  return manifest;
}

function parseHead(shape: Shape, hasBasis: boolean) {
  return {
    export_id: shape.text('export_id'),
    organisation: shape.text('organisation'),
    ledger: shape.text('ledger'),
    mode: shape.oneOf('mode', ['live', 'test']),
    created_at: shape.time('created_at'),
    range: parseRange(shape.object('range'), hasBasis),
  };
}

function parseRange(shape: Shape, hasBasis: boolean): Manifest['range'] {
  const basis = hasBasis ? shape.oneOf('basis', RANGE_BASES) : null;
  const range = { start: shape.time('start'), end: shape.time('end'), basis };
  shape.done();
  if (range.start >= range.end) throw new ShapeError('range.end is not after range.start.');
  return range;
}

function parseRuns(shape: Shape): ChainRuns {
  return {
    decisions: parseDecisions(shape.object('decisions')),
    activity: parseActivity(shape.object('activity')),
  };
}

function parseLogs(shape: Shape): LogKeys {
  const logs = { decisions: shape.text('decisions'), activity: shape.text('activity') };
  shape.done();
  return logs;
}

function parseDecisions(shape: Shape): DecisionRun {
  const run = {
    count: shape.count('count'),
    erased_fields: shape.count('erased_fields'),
    ...parseEnds(shape),
    head: parseChainPoint(shape.optObject('head')),
  };
  shape.done();
  return run;
}

function parseActivity(shape: Shape): ActivityRun {
  const run = { since: shape.count('since'), ...parseEnds(shape) };
  shape.done();
  return run;
}

function parseEnds(shape: Shape): ChainRun {
  return {
    first: parseRunStart(shape.optObject('first')),
    last: parseChainPoint(shape.optObject('last')),
  };
}

/** @throws ShapeError */
export function parseRunStart(shape: Shape | null): RunStart | null {
  if (shape === null) return null;
  const start = {
    seq: shape.count('seq'),
    hash: shape.hash('hash'),
    prev_hash: shape.hash('prev_hash'),
  };
  shape.done();
  return start;
}

/** @throws ShapeError */
export function parseChainPoint(shape: Shape | null): ChainPoint | null {
  if (shape === null) return null;
  const point = { seq: shape.count('seq'), hash: shape.hash('hash') };
  shape.done();
  return point;
}

function parseTail(shape: Shape, onDuplicate: (name: string) => void) {
  return {
    logs: parseLogs(shape.object('logs')),
    signing_key: parseSigningKey(shape.object('signing_key')),
    files: parseFiles(shape, onDuplicate),
  };
}

function parseSigningKey(shape: Shape): Manifest['signing_key'] {
  const fingerprint = shape.hash('fingerprint');
  const algorithm = shape.oneOf('algorithm', [SIGNATURE_ALGORITHM]);
  shape.done();
  return { fingerprint, algorithm };
}

function parseFiles(shape: Shape, onDuplicate: (name: string) => void): ListedFile[] {
  const names = new Set<string>();
  return shape.array('files').map((value, index) => {
    const file = new Shape(value, `files[${index}]`);
    const name = file.text('name');
    if (names.has(name)) onDuplicate(name);
    names.add(name);
    const listed = { name, sha256: file.hash('sha256'), bytes: file.count('bytes') };
    file.done();
    return listed;
  });
}

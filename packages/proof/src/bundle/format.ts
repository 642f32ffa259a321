import { ACTIVITY_TYPE, DECISION_TYPE } from '../entry.js';

/** The payload fields that a decision's entry commits to, in bundle order. */
export const PAYLOAD_FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type PayloadField = (typeof PAYLOAD_FIELDS)[number];

/** The chain that a chain file belongs to. */
export type ChainName = 'decisions' | 'activity';

type FileDescription =
  /** Plain text, a JSON document or bytes. */
  | { readonly form: 'document' }
  /** A JSON array with one record per line, ordered by a time and then by id. */
  | { readonly form: 'records'; readonly orderedBy: 'timestamp' | 'created_at' }
  /** The genesis of a chain, then one entry per line. Disclosed data may follow an activity entry. */
  | { readonly form: 'chain'; readonly chain: ChainName; readonly entryType: string }
  /** RFC 4180, with a header row. */
  | { readonly form: 'table'; readonly columns: readonly string[] };

/** Every file that a bundle can contain, with its form. */
export const FILES = {
  'README.txt': { form: 'document' },
  'CERTIFICATE.md': { form: 'document' },
  'custody.json': { form: 'document' },
  'decisions.json': { form: 'records', orderedBy: 'timestamp' },
  'entries.ndjson': { form: 'chain', chain: 'decisions', entryType: DECISION_TYPE },
  'withheld.ndjson': { form: 'document' },
  'events.json': { form: 'records', orderedBy: 'timestamp' },
  'links.json': { form: 'records', orderedBy: 'created_at' },
  'activity.ndjson': { form: 'chain', chain: 'activity', entryType: ACTIVITY_TYPE },
  'chain_verification.json': { form: 'document' },
  'article12.json': { form: 'records', orderedBy: 'timestamp' },
  'article12.csv': {
    form: 'table',
    columns: [
      ...(['seq', 'decision_id', 'agent_id', 'action_type', 'timestamp', 'created_at'] as const),
      ...(['use_start', 'use_end', 'confidence', 'human_in_loop'] as const),
      ...(['reviewer_id', 'verifiers', 'reference_database', 'matched_input'] as const),
      ...PAYLOAD_FIELDS,
      ...(['erased_fields', 'hash', 'prev_hash'] as const),
    ],
  },
  'completeness.json': { form: 'document' },
  'insurance.json': { form: 'document' },
  'statement.json': { form: 'document' },
  'activity.proofs.json': { form: 'document' },
  'decisions.checkpoint': { form: 'document' },
  'activity.checkpoint': { form: 'document' },
  'decisions.range.json': { form: 'document' },
  'keys.json': { form: 'document' },
  'ledger-pubkey.pem': { form: 'document' },
  'manifest.json': { form: 'document' },
  'manifest.sig': { form: 'document' },
} as const satisfies Readonly<Record<string, FileDescription>>;
export type FileName = keyof typeof FILES;

export const BUNDLE_FORMAT = 'decision-ledger/bundle/v1';

/**
 * `recorded`: the run has every entry recorded in the range, and shows one on each side of it. `decided`: it
 * has every entry that may be dated in the range, as far as the limit of lateness bounds them.
 */
export const RANGE_BASES = ['recorded', 'decided'] as const;
export type RangeBasis = (typeof RANGE_BASES)[number];

/** The checkpoints of both transparency logs, and the place of the run of decisions in theirs. */
export const LOG_FILES = [
  'decisions.checkpoint',
  'activity.checkpoint',
  'decisions.range.json',
] as const;
export type LogFile = (typeof LOG_FILES)[number];

export const EXPORT_TYPES = ['forensic', 'compliance', 'insurance', 'statement'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

interface BundleDescription {
  /** `records`: records with payloads, and both chains in the manifest. `sums`: aggregates only. */
  readonly holds: 'records' | 'sums';
  /** Whether it shows everything of its range, its decisions without their money, or the part of one agent. */
  readonly covers: 'range' | 'decisions' | 'agent';
  /** The files of this type of bundle, in addition to the common ones, in order. */
  readonly contents: readonly FileName[];
  /** Those that such a bundle has besides if a filter chose what it shows; null if no filter can. */
  readonly filtered: readonly FileName[] | null;
}

/** The types of export. The writer and the verifier each handle every type and every file. */
export const BUNDLES = {
  forensic: {
    holds: 'records',
    covers: 'range',
    contents: [
      'decisions.json',
      'entries.ndjson',
      'events.json',
      'links.json',
      'activity.ndjson',
      'chain_verification.json',
      ...LOG_FILES,
    ],
    filtered: ['withheld.ndjson'],
  },
  compliance: {
    holds: 'records',
    covers: 'decisions',
    contents: [
      'article12.json',
      'article12.csv',
      'completeness.json',
      'entries.ndjson',
      'activity.ndjson',
      'chain_verification.json',
      ...LOG_FILES,
    ],
    filtered: null,
  },
  insurance: {
    holds: 'sums',
    covers: 'range',
    contents: [
      'insurance.json',
      'activity.proofs.json',
      'decisions.checkpoint',
      'activity.checkpoint',
    ],
    filtered: null,
  },
  statement: {
    holds: 'records',
    covers: 'agent',
    contents: [
      'statement.json',
      'entries.ndjson',
      'activity.ndjson',
      'chain_verification.json',
      ...LOG_FILES,
    ],
    filtered: null,
  },
} as const satisfies Readonly<Record<ExportType, BundleDescription>>;

/** Files listed in the manifest of every bundle: before and after the contents. */
export const COMMON_FILES = {
  first: ['README.txt', 'CERTIFICATE.md', 'custody.json'],
  last: ['keys.json', 'ledger-pubkey.pem'],
} as const satisfies Readonly<Record<string, readonly FileName[]>>;

/** Files that are not listed in the manifest. They are the last ones of the archive. */
export const UNLISTED_FILES = ['manifest.json', 'manifest.sig'] as const satisfies FileName[];

export type CommonFile = (typeof COMMON_FILES)[keyof typeof COMMON_FILES][number];
export type ContentFile<Type extends ExportType> =
  | (typeof BUNDLES)[Type]['contents'][number]
  | NonNullable<(typeof BUNDLES)[Type]['filtered']>[number];
export type TypeHolding<What extends BundleDescription['holds']> = {
  [Type in ExportType]: (typeof BUNDLES)[Type]['holds'] extends What ? Type : never;
}[ExportType];
export type FileOfForm<Form extends FileDescription['form']> = {
  [Name in FileName]: (typeof FILES)[Name]['form'] extends Form ? Name : never;
}[FileName];

/**
 * Types of activity that a bundle of sums proves in place of the chain. What was exported before is not among
 * them, because it names counts of decisions.
 */
export const PROVEN_TYPES: readonly string[] = [
  'log.started',
  'signing_key.created',
  'signing_key.rotated',
];

/**
 * Types of activity whose data every bundle with the activity chain discloses: they say who signed it,
 * what was exported, how late a decision may be recorded, and which records were lost.
 */
const ALWAYS_DISCLOSED: readonly string[] = [
  'export.requested',
  'export.made',
  'export.downloaded',
  'ledger.restored',
  'max_lateness.changed',
  ...PROVEN_TYPES,
];

/**
 * Whether every bundle with the activity chain discloses the data of activity of this type.
 *
 * @example
 * ```ts
 * import { isAlwaysDisclosed } from '@decision-ledger/proof/bundle/format';
 *
 * isAlwaysDisclosed('export.made'); // => true
 * isAlwaysDisclosed('link.created'); // => false
 * ```
 */
export function isAlwaysDisclosed(type: string): boolean {
  return ALWAYS_DISCLOSED.includes(type);
}

/**
 * Whether bundles of this type contain records, and not only sums.
 *
 * @example
 * ```ts
 * import { holdsRecords } from '@decision-ledger/proof/bundle/format';
 *
 * holdsRecords('forensic'); // => true
 * holdsRecords('insurance'); // => false
 * ```
 */
export function holdsRecords(type: ExportType): type is TypeHolding<'records'> {
  return BUNDLES[type].holds === 'records';
}

/** As many files of uploads as a bundle may have. */
export const MAX_UPLOAD_FILES = 4000;

const UPLOAD_FILE = /^dec_[0-9a-z]{26}\.(?:inputs|outputs)$/;

/**
 * Whether a bundle shows the payloads of decisions, and so what they stand for.
 *
 * @example
 * ```ts
 * import { showsPayloads } from '@decision-ledger/proof/bundle/format';
 *
 * showsPayloads('compliance'); // => true
 * showsPayloads('statement'); // => false
 * ```
 */
export function showsPayloads(type: ExportType): boolean {
  const { holds, covers } = BUNDLES[type];
  return holds === 'records' && covers !== 'agent';
}

/**
 * The file of a bundle with the bytes that a field of a decision stands for. Such files are the last ones that the manifest
 * lists.
 *
 * @example
 * ```ts
 * import { uploadFileName } from '@decision-ledger/proof/bundle/format';
 *
 * uploadFileName('dec_01h455vb4pex5vsknk084sn02q', 'outputs');
 * // => 'dec_01h455vb4pex5vsknk084sn02q.outputs'
 * ```
 */
export function uploadFileName(decisionId: string, field: string): string {
  return `${decisionId}.${field}`;
}

/**
 * Whether a file of a bundle has the name of an upload.
 *
 * @example
 * ```ts
 * import { isUploadFileName } from '@decision-ledger/proof/bundle/format';
 *
 * isUploadFileName('dec_01h455vb4pex5vsknk084sn02q.outputs'); // => true
 * isUploadFileName('keys.json'); // => false
 * ```
 */
export function isUploadFileName(name: string): boolean {
  return UPLOAD_FILE.test(name);
}

/** What the files of a bundle depend on. */
export interface BundleKind {
  readonly export_type: ExportType;
  /** Null unless a filter chose what it shows. */
  readonly selection: object | null;
}

/**
 * Whether a filter can choose what bundles of this type show.
 *
 * @example
 * ```ts
 * import { takesFilter } from '@decision-ledger/proof/bundle/format';
 *
 * takesFilter('forensic'); // => true
 * takesFilter('insurance'); // => false
 * ```
 */
export function takesFilter(type: ExportType): boolean {
  return BUNDLES[type].filtered !== null;
}

/**
 * The files of a bundle, in addition to the common ones, in order.
 *
 * @example
 * ```ts
 * import { contentsOf } from '@decision-ledger/proof/bundle/format';
 *
 * contentsOf({ export_type: 'insurance', selection: null })[0]; // => 'insurance.json'
 * ```
 */
export function contentsOf({ export_type, selection }: BundleKind): readonly FileName[] {
  const { contents, filtered } = BUNDLES[export_type];
  return selection === null || filtered === null ? contents : [...contents, ...filtered];
}

/**
 * The files that the manifest of a bundle lists, in order.
 *
 * @example
 * ```ts
 * import { listedFiles } from '@decision-ledger/proof/bundle/format';
 *
 * const insurance = { export_type: 'insurance', selection: null } as const;
 * listedFiles(insurance).slice(2, 4); // => ['custody.json', 'insurance.json']
 * ```
 */
export function listedFiles(kind: BundleKind): FileName[] {
  return [...COMMON_FILES.first, ...contentsOf(kind), ...COMMON_FILES.last];
}

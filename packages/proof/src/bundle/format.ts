import { ACTIVITY_TYPE, DATED_ACTIVITY_TYPE, DECISION_TYPE } from '../entry.js';

/** The payload fields that a decision's entry commits to, in bundle order. */
export const PAYLOAD_FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type PayloadField = (typeof PAYLOAD_FIELDS)[number];

/** The chain that a chain file or genesis.json belongs to. */
export type ChainName = 'decisions' | 'activity';

type FileDescription =
  /** Plain text, a JSON document or bytes. */
  | { readonly form: 'document' }
  /** A JSON array with one record per line, ordered by a time and then by id. */
  | { readonly form: 'records'; readonly orderedBy: 'timestamp' | 'created_at' }
  /** The genesis of a chain, then one entry per line. Disclosed data may follow an activity entry. */
  | { readonly form: 'chain'; readonly chain: ChainName; readonly entryTypes: readonly string[] }
  /** Only the genesis of a chain. */
  | { readonly form: 'genesis'; readonly chain: ChainName }
  /** RFC 4180, with a header row. */
  | { readonly form: 'table'; readonly columns: readonly string[] };

/** Every file that a bundle can contain, with its form. */
export const FILES = {
  'README.txt': { form: 'document' },
  'decisions.json': { form: 'records', orderedBy: 'timestamp' },
  'entries.ndjson': { form: 'chain', chain: 'decisions', entryTypes: [DECISION_TYPE] },
  'events.json': { form: 'records', orderedBy: 'timestamp' },
  'links.json': { form: 'records', orderedBy: 'created_at' },
  'activity.ndjson': {
    form: 'chain',
    chain: 'activity',
    entryTypes: [ACTIVITY_TYPE, DATED_ACTIVITY_TYPE],
  },
  'chain_verification.json': { form: 'document' },
  'genesis.json': { form: 'genesis', chain: 'decisions' },
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
  'decisions.checkpoint': { form: 'document' },
  'activity.checkpoint': { form: 'document' },
  'decisions.range.json': { form: 'document' },
  'keys.json': { form: 'document' },
  'ledger-pubkey.pem': { form: 'document' },
  'manifest.json': { form: 'document' },
  'manifest.sig': { form: 'document' },
} as const satisfies Readonly<Record<string, FileDescription>>;
export type FileName = keyof typeof FILES;

/** The formats of bundles. The service writes the last one. */
export const BUNDLE_FORMATS = ['decision-ledger/bundle/v1', 'decision-ledger/bundle/v2'] as const;
export type BundleFormat = (typeof BUNDLE_FORMATS)[number];

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
  /** Whether it shows everything of its range, or the part of one agent. */
  readonly covers: 'range' | 'agent';
  /** The files of this type of bundle, in addition to the common ones, in order. */
  readonly contents: readonly FileName[];
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
  },
  compliance: {
    holds: 'records',
    covers: 'range',
    contents: [
      'genesis.json',
      'article12.json',
      'article12.csv',
      'completeness.json',
      'chain_verification.json',
    ],
  },
  insurance: { holds: 'sums', covers: 'range', contents: ['insurance.json'] },
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
  },
} as const satisfies Readonly<Record<ExportType, BundleDescription>>;

/** Files listed in the manifest of every bundle: before and after the contents. */
export const COMMON_FILES = {
  first: ['README.txt'],
  last: ['keys.json', 'ledger-pubkey.pem'],
} as const satisfies Readonly<Record<string, readonly FileName[]>>;

/** Files that are not listed in the manifest. They are the last ones of the archive. */
export const UNLISTED_FILES = ['manifest.json', 'manifest.sig'] as const satisfies FileName[];

export type CommonFile = (typeof COMMON_FILES)[keyof typeof COMMON_FILES][number];
export type ContentFile<Type extends ExportType> = (typeof BUNDLES)[Type]['contents'][number];
export type TypeHolding<What extends BundleDescription['holds']> = {
  [Type in ExportType]: (typeof BUNDLES)[Type]['holds'] extends What ? Type : never;
}[ExportType];
export type FileOfForm<Form extends FileDescription['form']> = {
  [Name in FileName]: (typeof FILES)[Name]['form'] extends Form ? Name : never;
}[FileName];

/**
 * Types of activity whose data every new bundle with the activity chain discloses: they say who signed it,
 * and what was exported before.
 */
const ALWAYS_DISCLOSED: readonly string[] = [
  'export.made',
  'log.started',
  'signing_key.created',
  'signing_key.rotated',
];

/**
 * Whether every new bundle with the activity chain discloses the data of activity of this type.
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

/**
 * The files of a type of bundle, in addition to the common ones, in order.
 *
 * @example
 * ```ts
 * import { contentsOf } from '@decision-ledger/proof/bundle/format';
 *
 * contentsOf('statement', 'decision-ledger/bundle/v1').includes('decisions.checkpoint'); // => false
 * contentsOf('statement', 'decision-ledger/bundle/v2').includes('decisions.checkpoint'); // => true
 * ```
 */
export function contentsOf(type: ExportType, format: BundleFormat): FileName[] {
  const added: readonly FileName[] = format === 'decision-ledger/bundle/v1' ? LOG_FILES : [];
  return BUNDLES[type].contents.filter((name) => !added.includes(name));
}

/**
 * The files that the manifest of a new bundle lists, in order.
 *
 * @example
 * ```ts
 * import { listedFiles } from '@decision-ledger/proof/bundle/format';
 *
 * listedFiles('insurance');
 * // => ['README.txt', 'insurance.json', 'keys.json', 'ledger-pubkey.pem']
 * ```
 */
export function listedFiles(type: ExportType): FileName[] {
  return [...COMMON_FILES.first, ...BUNDLES[type].contents, ...COMMON_FILES.last];
}

/**
 * Whether the manifest of new bundles of this type lists the file.
 *
 * @example
 * ```ts
 * import { hasFile } from '@decision-ledger/proof/bundle/format';
 *
 * hasFile('forensic', 'decisions.json'); // => true
 * hasFile('insurance', 'decisions.json'); // => false
 * ```
 */
export function hasFile(type: ExportType, name: FileName): boolean {
  return listedFiles(type).includes(name);
}

import { ACTIVITY_TYPE, DECISION_TYPE } from '../entry.js';

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
  | { readonly form: 'chain'; readonly chain: ChainName; readonly entryType: string }
  /** Only the genesis of a chain. */
  | { readonly form: 'genesis'; readonly chain: ChainName }
  /** RFC 4180, with a header row. */
  | { readonly form: 'table'; readonly columns: readonly string[] };

/** Every file that a bundle can contain, with its form. */
export const FILES = {
  'README.txt': { form: 'document' },
  'decisions.json': { form: 'records', orderedBy: 'timestamp' },
  'entries.ndjson': { form: 'chain', chain: 'decisions', entryType: DECISION_TYPE },
  'events.json': { form: 'records', orderedBy: 'timestamp' },
  'links.json': { form: 'records', orderedBy: 'created_at' },
  'activity.ndjson': { form: 'chain', chain: 'activity', entryType: ACTIVITY_TYPE },
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
  'keys.json': { form: 'document' },
  'ledger-pubkey.pem': { form: 'document' },
  'manifest.json': { form: 'document' },
  'manifest.sig': { form: 'document' },
} as const satisfies Readonly<Record<string, FileDescription>>;
export type FileName = keyof typeof FILES;

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
    contents: ['statement.json', 'entries.ndjson', 'activity.ndjson', 'chain_verification.json'],
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
 * The files that the manifest of a bundle lists, in order.
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
 * Whether the manifest of bundles of this type lists the file.
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

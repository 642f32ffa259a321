import { canonicalJson } from '../canonical.js';
import { commitmentOf, disclosureText } from '../commitment.js';
import type { JsonValue } from '../json.js';
import { type Shape, ShapeError } from './shape.js';

/** What a bundle shows of its range: the decisions that match every member. At least one is given. */
export interface SelectionFilter {
  readonly agent_id?: string;
  readonly action_type?: string;
  readonly human_in_loop?: boolean;
  readonly min_confidence?: number;
  readonly max_confidence?: number;
  /** Texts that members of the metadata must have. */
  readonly metadata?: { readonly [key: string]: string };
}

/** The filter of a bundle, and what it withholds. Only the signer attests `in_range`. */
export interface Selection {
  readonly filter: SelectionFilter;
  /** With the filter, it makes the commitment in the activity chain: 22 base64url characters. */
  readonly salt: string;
  /** Decisions in the range, chosen or not. */
  readonly in_range: number;
  /** Decisions of the run that are shown as hashes alone. */
  readonly withheld: number;
  /** Decisions of the range whose metadata was erased, so that nobody knows whether they match. */
  readonly erased: number;
}

/** The columns of a decision that a filter compares. */
export interface FilteredColumns {
  readonly agent_id: string;
  readonly action_type: string;
  readonly human_in_loop: boolean;
  readonly confidence: number;
}

/**
 * The JSON texts that a filter of a metadata member matches: the text itself as a string, and the scalar
 * with that JSON text.
 *
 * @example
 * ```ts
 * import { filterTexts } from '@decision-ledger/proof/bundle/selection';
 *
 * filterTexts('0'); // => ['"0"', '0']
 * filterTexts('C-17'); // => ['"C-17"']
 * ```
 */
export function filterTexts(value: string): string[] {
  const asString = JSON.stringify(value);
  return isScalarJson(value) ? [asString, value] : [asString];
}

function isScalarJson(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return (parsed === null || typeof parsed !== 'object') && JSON.stringify(parsed) === text;
  } catch {
    return false;
  }
}

/**
 * Whether a decision matches a filter.
 *
 * @param metadata null if it is absent, erased or unknown: no condition on it is met then
 * @example
 * ```ts
 * import { matchesFilter } from '@decision-ledger/proof/bundle/selection';
 *
 * const columns = { agent_id: 'a', action_type: 'refund', human_in_loop: false, confidence: 0.9 };
 * matchesFilter({ metadata: { customer_id: 'C-17' } }, columns, { customer_id: 'C-17' }); // => true
 * matchesFilter({ min_confidence: 0.95 }, columns, null); // => false
 * ```
 */
export function matchesFilter(
  filter: SelectionFilter,
  decision: FilteredColumns,
  metadata: JsonValue,
): boolean {
  const { agent_id, action_type, human_in_loop, min_confidence = 0, max_confidence = 1 } = filter;
  return (
    (agent_id ?? decision.agent_id) === decision.agent_id &&
    (action_type ?? decision.action_type) === decision.action_type &&
    (human_in_loop ?? decision.human_in_loop) === decision.human_in_loop &&
    min_confidence <= decision.confidence &&
    decision.confidence <= max_confidence &&
    Object.entries(filter.metadata ?? {}).every(([key, text]) => hasText(metadata, key, text))
  );
}

function hasText(metadata: JsonValue, key: string, text: string): boolean {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return false;
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  return value !== undefined && filterTexts(text).includes(canonicalJson(value));
}

const FIELD = 'filter';

/**
 * The disclosure of a filter: what its commitment in the activity chain is made of.
 *
 * @param salt 128 random bits as 22 base64url characters
 * @throws TypeError if the salt is malformed
 * @example
 * ```ts
 * import { filterDisclosure } from '@decision-ledger/proof/bundle/selection';
 *
 * filterDisclosure('AAAAAAAAAAAAAAAAAAAAAA', { agent_id: 'pricing' });
 * // => '["AAAAAAAAAAAAAAAAAAAAAA","filter",{"agent_id":"pricing"}]'
 * ```
 */
export function filterDisclosure(salt: string, filter: SelectionFilter): string {
  return disclosureText(salt, FIELD, canonicalJson(membersOf(filter)));
}

/**
 * The commitment to the filter of a bundle. It is null where the salt is malformed.
 *
 * @example
 * ```ts
 * import { filterCommitment } from '@decision-ledger/proof/bundle/selection';
 *
 * filterCommitment({ salt: 'no salt', filter: { agent_id: 'pricing' } }); // => null
 * ```
 */
export function filterCommitment({
  salt,
  filter,
}: Pick<Selection, 'salt' | 'filter'>): string | null {
  try {
    return commitmentOf(filterDisclosure(salt, filter));
  } catch {
    return null;
  }
}

/** The filter as JSON, without absent members. */
function membersOf({ metadata, ...rest }: SelectionFilter): JsonValue {
  const members: [string, JsonValue | undefined][] = [
    ['agent_id', rest.agent_id],
    ['action_type', rest.action_type],
    ['human_in_loop', rest.human_in_loop],
    ['min_confidence', rest.min_confidence],
    ['max_confidence', rest.max_confidence],
    ['metadata', metadata === undefined ? undefined : { ...metadata }],
  ];
  return Object.fromEntries(
    members.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Reads a filter.
 *
 * @throws ShapeError
 * @example
 * ```ts
 * import { parseFilter } from '@decision-ledger/proof/bundle/selection';
 * import { Shape } from '@decision-ledger/proof/bundle/shape';
 *
 * parseFilter(new Shape({ agent_id: 'pricing' })); // => { agent_id: 'pricing' }
 * ```
 */
export function parseFilter(shape: Shape): SelectionFilter {
  const filter: SelectionFilter = {
    ...(shape.has('agent_id') && { agent_id: shape.text('agent_id') }),
    ...(shape.has('action_type') && { action_type: shape.text('action_type') }),
    ...(shape.has('human_in_loop') && { human_in_loop: shape.flag('human_in_loop') }),
    ...(shape.has('min_confidence') && { min_confidence: shape.number('min_confidence') }),
    ...(shape.has('max_confidence') && { max_confidence: shape.number('max_confidence') }),
    ...(shape.has('metadata') && { metadata: parseTexts(shape.object('metadata')) }),
  };
  shape.done();
  if (Object.keys(filter).length === 0) throw new ShapeError('filter has no member.');
  return filter;
}

function parseTexts(shape: Shape): { [key: string]: string } {
  return Object.fromEntries(shape.names().map((name) => [name, shape.text(name)]));
}

/**
 * Reads the member `selection` of a manifest.
 *
 * @throws ShapeError
 * @example
 * ```ts
 * import { parseSelection } from '@decision-ledger/proof/bundle/selection';
 * import { Shape } from '@decision-ledger/proof/bundle/shape';
 *
 * const counts = { in_range: 5, withheld: 4, erased: 0 };
 * const salt = 'AAAAAAAAAAAAAAAAAAAAAA';
 * parseSelection(new Shape({ filter: { agent_id: 'a' }, salt, ...counts })).withheld; // => 4
 * ```
 */
export function parseSelection(shape: Shape): Selection {
  const selection = {
    filter: parseFilter(shape.object('filter')),
    salt: shape.text('salt'),
    in_range: shape.count('in_range'),
    withheld: shape.count('withheld'),
    erased: shape.count('erased'),
  };
  shape.done();
  return selection;
}

/** A withheld entry of a chain, as a line of withheld.ndjson shows it. */
export interface WithheldEntry {
  readonly seq: number;
  /** SHA-256 in lower-case hexadecimal. */
  readonly hash: string;
}

/**
 * The line of a withheld decision in withheld.ndjson.
 *
 * @example
 * ```ts
 * import { withheldLine } from '@decision-ledger/proof/bundle/selection';
 *
 * withheldLine({ seq: 7, hash: 'ab' }); // => '[7,"ab"]'
 * ```
 */
export function withheldLine({ seq, hash }: WithheldEntry): string {
  return `[${seq},"${hash}"]`;
}

/**
 * Reads a line of withheld.ndjson; null if it is not one.
 *
 * @example
 * ```ts
 * import { readWithheldLine } from '@decision-ledger/proof/bundle/selection';
 *
 * readWithheldLine('[7,"ab"]'); // => null
 * ```
 */
export function readWithheldLine(line: string): WithheldEntry | null {
  const [, seq, hash] = /^\[([1-9]\d{0,15}),"([0-9a-f]{64})"\]$/.exec(line) ?? [];
  if (seq === undefined || hash === undefined || !Number.isSafeInteger(Number(seq))) return null;
  return { seq: Number(seq), hash };
}

/**
 * The line of a withheld entry of the activity chain in activity.ndjson.
 *
 * @example
 * ```ts
 * import { withheldActivityLine } from '@decision-ledger/proof/bundle/selection';
 *
 * withheldActivityLine('ab'); // => '"ab"'
 * ```
 */
export function withheldActivityLine(hash: string): string {
  return `"${hash}"`;
}

/**
 * The hash in such a line; null if it is not one.
 *
 * @example
 * ```ts
 * import { readWithheldActivityLine } from '@decision-ledger/proof/bundle/selection';
 *
 * readWithheldActivityLine('{}'); // => null
 * ```
 */
export function readWithheldActivityLine(line: string): string | null {
  return /^"([0-9a-f]{64})"$/.exec(line)?.[1] ?? null;
}

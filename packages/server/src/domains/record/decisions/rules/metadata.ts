import { MAX_EXPERIMENT_NAME } from '@decision-ledger/contract/experiment';
import { finish, fold } from '@decision-ledger/contract/fold';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import type { JsonValue } from '@decision-ledger/proof/gate';

/**
 * Terms are 32-bit hashes of `name=value` pairs, stored with a decision so that one index serves every
 * equality filter. They only narrow the search: each hit is compared with the decision itself. The
 * hash includes the ledger, so that ledgers do not share terms.
 */
export function searchTerm(ledgerId: string, name: string, value: string): number {
  return pairTerm(fold(ledgerId), name, value);
}

/** The term of a top-level member of metadata, whose value is given as JSON text. */
export function metadataTerm(ledgerId: string, key: string, text: string): number {
  return searchTerm(ledgerId, `metadata.${key}`, text);
}

function pairTerm(seed: number, name: string, value: string): number {
  return finish(fold(value, fold(name, seed) ^ 0x3d));
}

export type Metadata = { readonly [key: string]: JsonValue } | undefined;

/**
 * The metadata of a recorded decision. What was tampered with says nothing; the walk over the chain reports it.
 * @param disclosure null if it was erased or never recorded
 */
export function readMetadata(disclosure: string | null): Metadata {
  const value = legibleValue(disclosure, 'metadata');
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Scalar members after the first so many, sorted by name, are stored and provable but not searchable. */
export const MAX_METADATA_TERMS = 64;

/** The terms of a decision in the text form of a PostgreSQL integer array. */
export function termsText(
  ledgerId: string,
  agentId: string,
  actionType: string,
  metadata: Metadata,
): string {
  const seed = fold(ledgerId);
  let text = `{${pairTerm(seed, 'agent_id', agentId)},${pairTerm(seed, 'action_type', actionType)}`;
  let count = 0;
  // Sorted, because the request and the stored canonical JSON list members in different orders.
  for (const key of Object.keys(metadata ?? {}).sort()) {
    const value = metadata?.[key];
    if (value === undefined || (typeof value === 'object' && value !== null)) continue;
    if (count === MAX_METADATA_TERMS) break;
    text += `,${pairTerm(seed, `metadata.${key}`, JSON.stringify(value))}`;
    count += 1;
  }
  return `${text}}`;
}

/** How a decision was assigned to an arm of an experiment, as far as its metadata says so. */
export interface Assignment {
  /** Null if the mark names no experiment. */
  readonly experimentId: string | null;
  /** Null if the mark is not valid. */
  readonly arm: string | null;
  /** Null if it is absent, or the mark is not valid. */
  readonly propensity: number | null;
  readonly isValid: boolean;
}

/**
 * Reads `metadata.experiment`. Metadata is free, so a mark that is not valid refuses nothing.
 * @returns null without such a member
 */
export function readAssignment(metadata: Metadata): Assignment | null {
  const mark = metadata?.experiment;
  if (mark === undefined) return null;
  if (mark === null || typeof mark !== 'object' || Array.isArray(mark)) return invalid(null);
  const { id, arm, propensity = null } = mark as { readonly [name: string]: JsonValue };
  if (!isName(id)) return invalid(null);
  if (!isName(arm) || !isPropensity(propensity)) return invalid(id);
  return { experimentId: id, arm, propensity, isValid: true };
}

function invalid(experimentId: string | null): Assignment {
  return { experimentId, arm: null, propensity: null, isValid: false };
}

function isName(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || value.length === 0) return false;
  // A character has at most two code units, so a far longer text need not be counted.
  if (value.length > 2 * MAX_EXPERIMENT_NAME) return false;
  return value.length <= MAX_EXPERIMENT_NAME || Array.from(value).length <= MAX_EXPERIMENT_NAME;
}

function isPropensity(value: JsonValue): value is number | null {
  return value === null || (typeof value === 'number' && value > 0 && value <= 1);
}

import type { Mode } from '@decision-ledger/contract/permissions';

/** What the origin of a log is made of. */
export interface OriginParts {
  /** The setting `transparency.name`. */
  readonly name: string;
  /** Public id of the ledger. */
  readonly ledger: string;
  readonly chain: string;
  /** From 1. */
  readonly generation: number;
  readonly mode: Mode;
}

/**
 * The origin of a log, which also names its key. The first generation is not mentioned; that of a test
 * ledger ends in `/test`.
 */
export function originOf({ name, ledger, chain, generation, mode }: OriginParts): string {
  const parts = [name, ledger, chain];
  if (generation > 1) parts.push(String(generation));
  if (mode === 'test') parts.push('test');
  return parts.join('/');
}

import type { LinkBody } from '@decision-ledger/contract/link';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Transaction } from '../../platform/database.js';
import type { Scope } from '../../platform/scope.js';

/** A link as the engine wants it. */
export interface SuggestedLink {
  /** UUID. */
  readonly decisionId: string;
  readonly strength: number;
  readonly linkType: LinkBody['link_type'];
  /** How much a person's word on it would teach, from 0 on. */
  readonly reviewPriority: number;
  readonly score: { readonly [name: string]: JsonValue };
}

/**
 * Makes the suggested links of an event (UUID) those that are given, and no others. What people made
 * or judged stays as it is.
 */
export type WriteSuggestions = (
  tx: Transaction,
  scope: Scope,
  eventId: string,
  suggested: readonly SuggestedLink[],
) => Promise<void>;

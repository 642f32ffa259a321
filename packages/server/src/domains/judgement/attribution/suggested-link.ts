import type { LinkBody } from '@decision-ledger/contract/link';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

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

/** All links that the engine wants of one event. */
export interface SuggestedLinks {
  /** UUID. */
  readonly eventId: string;
  readonly suggested: readonly SuggestedLink[];
}

/**
 * Makes the suggested links of some events those that are given, and no others. What people made or
 * judged stays as it is.
 */
export type WriteSuggestions = (
  tx: Transaction,
  scope: Scope,
  events: readonly SuggestedLinks[],
) => Promise<void>;

import type { LinkBody } from '@decision-ledger/contract/link';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Transaction } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** A link that the engine suggests. */
export interface SuggestedLink {
  /** UUID. */
  readonly decisionId: string;
  readonly strength: number;
  readonly linkType: LinkBody['link_type'];
  readonly reversal: boolean;
  readonly label: 'matched' | 'guessed';
  /** How much a review of it would teach; 0 or more. */
  readonly reviewPriority: number;
  readonly score: { readonly [name: string]: JsonValue };
}

/** All links that the engine suggests for one event. */
export interface SuggestedLinks {
  /** UUID. */
  readonly eventId: string;
  readonly suggested: readonly SuggestedLink[];
}

/** Replaces the suggested links of the given events. Links that people made or reviewed stay. */
export type WriteSuggestions = (
  tx: Transaction,
  scope: Scope,
  events: readonly SuggestedLinks[],
) => Promise<void>;

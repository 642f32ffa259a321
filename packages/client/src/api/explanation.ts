// Generated from the contract by scripts/client-types.js.

export interface SharedIdentifier {
  /** Where the event states it, such as metadata.order_id: the member, or the text that contains it. Null inside a text that holds JSON. */
  readonly event_field: string | null;
  readonly event_value: string;
  /** Where the decision states it, such as metadata.order_id: the member, or the text that contains it. Null inside a text that holds JSON. */
  readonly decision_field: string | null;
  /** The same value, which may be spelled otherwise. */
  readonly decision_value: string;
  /** About how many decisions of the ledger hold it. */
  readonly decisions: number;
}

export interface Explanation {
  /** In English, such as "Order SO-7003 and 104.11 USD appear in both; 61 minutes later." It quotes values of both. */
  readonly sentence: string;
  /** The identifiers in both: those of transactions before those of persons and things, the rarest first. */
  readonly shared: readonly SharedIdentifier[];
  /** How the amounts of the decision fit that of the event: equal, equal in minor units, equal after conversion, a sum, a usual part, below all of them, other, or none stated. */
  readonly amount: 'equal' | 'minor' | 'converted' | 'sum' | 'part' | 'below' | 'other' | 'none';
}

export interface ExplanationQuery {
  /** The decision that it is compared with. */
  readonly decision_id: string;
}

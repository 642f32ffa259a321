// Generated from the contract by scripts/client-types.js.

export interface ErasureBody {
  /** Fields to erase. The decision must have been recorded with each of them. */
  readonly fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  /** Kept permanently and disclosed in evidence bundles: do not repeat the erased data. */
  readonly reason: string;
}

export interface Erasure {
  readonly decision_id: string;
  /** All erased fields of the decision, including earlier erasures. */
  readonly erased_fields: readonly ('inputs' | 'outputs' | 'alternatives' | 'metadata')[];
  /** Position of the record in the activity chain. Absent if all fields were already erased. */
  readonly activity_seq?: number;
}

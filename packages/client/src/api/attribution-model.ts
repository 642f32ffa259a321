// Generated from the contract by scripts/client-types.js.

export interface AttributionModelQuery {
  /** The number that a score names. Default: the newest. */
  readonly model?: number;
}

export interface AttributionModel {
  /** Its number in this ledger. */
  readonly model: number;
  readonly version: string;
  /** SHA-256 of the snapshot, as in the record attribution.model_changed: hexadecimal. */
  readonly sha256: string;
  /** The weight of each feature: feature × weight is the evidence of a score. */
  readonly weights: {
    readonly [name: string]: number;
  };
  /** All that was learned, as it is stored: canonical JSON (RFC 8785). */
  readonly snapshot: string;
}

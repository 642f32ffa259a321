import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { ChainVerification } from '../rules/completeness.js';

/** What the parts of a bundle are made from. */
export interface PartsInput {
  readonly db: Queryable;
  readonly scope: Scope;
  readonly range: ExportRange;
  /** The last decision of the chain that the bundle knows of. */
  readonly lastSeq: number;
  readonly verification: ChainVerification;
  readonly clock: Clock;
  /** Of this one export; it is in no file. */
  readonly secret: Buffer;
  /** Ends the work with its reason. */
  readonly signal: AbortSignal;
}

/** start ≤ timestamp < end, in ms. */
export interface ExportRange {
  readonly start: number;
  readonly end: number;
}

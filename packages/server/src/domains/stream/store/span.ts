/** A stretch of a log. */
export interface Span {
  /** Excluded. */
  readonly after: number;
  /** Included. */
  readonly last: number;
  readonly limit: number;
}

/** What became of the values of one kind when they were to be sealed under another key. */
export interface Resealed {
  readonly values: number;
  /** Where values stand that open with no key of the ring: they stay as they are. */
  readonly unreadable: readonly string[];
}

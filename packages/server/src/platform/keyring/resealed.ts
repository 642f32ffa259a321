/** The result of resealing the values of one kind under another key. */
export interface Resealed {
  readonly values: number;
  /** The locations of values that no key of the keyring opens; they are unchanged. */
  readonly unreadable: readonly string[];
}

/** A stretch of text that looks like an API key: `[start, end)`, and what to print instead. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

// Wider than a valid key on purpose: half a key, or one with a typo, is a secret too.
const KEY_LIKE = /lg_(live|test)_[A-Za-z0-9_]+/gi;

/** Finds everything that looks like an API key, in order. */
export function findKeys(text: string): KeySpan[] {
  return Array.from(text.matchAll(KEY_LIKE), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: `lg_${(match[1] ?? '').toLowerCase()}_[redacted]`,
  }));
}

/** The text with each key-like part as `lg_live_[redacted]` or `lg_test_[redacted]`. */
export function redactKeys(text: string): string {
  return text.replace(KEY_LIKE, (_, mode: string) => `lg_${mode.toLowerCase()}_[redacted]`);
}

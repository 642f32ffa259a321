/** A part of a text that looks like an API key, session token or signing secret: `[start, end)`, and its replacement. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

// Deliberately wider than valid keys: part of a key, or one with a typo, is also a secret.
const KEY_LIKE = /(lgs?_live|lgs?_test)_[A-Za-z0-9_]+|(whsec)_[A-Za-z0-9+/=_-]+/gi;

/** Finds all parts that look like an API key, session token or signing secret, in order. */
export function findKeys(text: string): KeySpan[] {
  return Array.from(text.matchAll(KEY_LIKE), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    label: labelOf(match[1] ?? match[2]),
  }));
}

/** Replaces each such part by its prefix and `[redacted]`, such as `lg_live_[redacted]`. */
export function redactKeys(text: string): string {
  return text.replace(KEY_LIKE, (_, key?: string, signing?: string) => labelOf(key ?? signing));
}

function labelOf(prefix = ''): string {
  return `${prefix.toLowerCase()}_[redacted]`;
}

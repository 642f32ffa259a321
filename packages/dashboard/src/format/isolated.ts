/** Letters that run from right to left, and characters that change the direction of what follows. */
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/u;

/**
 * A text of the ledger within another one: its direction ends with it. Other texts stay as they are.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text}\u2069` : text;
}

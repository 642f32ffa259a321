type Kind = 'syntax' | 'oversized' | 'unrepresentable';

/**
 * The reason why a JSON text was refused. `kind` is `syntax` if the text is not JSON, `oversized` if it
 * exceeds a limit, and `unrepresentable` if a value cannot be stored faithfully. `path` is the path of
 * that value (`decisions[3].inputs.a`, `inputs["a b"]`; the root is empty).
 *
 * @example
 * ```ts
 * import { GateError, parseJson } from '@decision-ledger/proof/gate';
 *
 * function problemOf(text: string) {
 *   try {
 *     return parseJson(text) && null;
 *   } catch (error) {
 *     return error instanceof GateError ? [error.kind, error.path] : null;
 *   }
 * }
 * problemOf('{"items":["\\u0000"]}'); // => ['unrepresentable', 'items[0]']
 * ```
 */
export class GateError extends Error {
  readonly kind: Kind;
  readonly path: string;

  constructor(kind: Kind, path: string, message: string) {
    super(message);
    this.name = 'GateError';
    this.kind = kind;
    this.path = path;
  }
}

/** What is wrong with a text that is not JSON, for its sender: the character at a position, or the whole. */
export function describeSyntax(text: string, at: number): string {
  if (text.trim() === '') {
    return 'The text is empty. Send a JSON value.';
  }
  if (text.startsWith('\ufeff')) {
    return 'The text starts with a byte order mark. Send it without.';
  }
  if (at >= text.length) {
    return 'Invalid JSON: the text ends too early. Send it whole.';
  }
  const place = placeOf(text, at);
  if (/^(?:NaN|-?Infinity)/.test(text.slice(at, at + 9))) {
    return `Invalid JSON ${place}: NaN and Infinity are not JSON. Send null or a string.`;
  }
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return `Invalid JSON ${place}: unexpected ${JSON.stringify(char)}.`;
}

function placeOf(text: string, at: number): string {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', lineStart)) {
    line++;
    lineStart = end + 1;
  }
  return `at line ${line}, column ${at - lineStart + 1}`;
}

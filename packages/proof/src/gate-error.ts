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

/**
 * Why a JSON text was refused. `kind` is `syntax` when the text is not JSON at all, and
 * `unrepresentable` when it holds a value that could not be kept faithfully.
 * `path` leads to that value (`decisions[3].inputs.a`, `inputs["a b"]`; the root is empty).
 */
export class GateError extends Error {
  readonly kind: 'syntax' | 'unrepresentable';
  readonly path: string;

  constructor(kind: 'syntax' | 'unrepresentable', path: string, message: string) {
    super(message);
    this.name = 'GateError';
    this.kind = kind;
    this.path = path;
  }
}

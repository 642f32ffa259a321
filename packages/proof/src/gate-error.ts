type Kind = 'syntax' | 'oversized' | 'unrepresentable';

/**
 * Why a JSON text was refused. `kind` is `syntax` when the text is not JSON at all, `oversized` when
 * it holds more than is taken, and `unrepresentable` when it holds a value that could not be kept
 * faithfully.
 * `path` leads to that value (`decisions[3].inputs.a`, `inputs["a b"]`; the root is empty).
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

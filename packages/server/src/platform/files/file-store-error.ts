/** Machine-readable problems. */
export type FileStoreProblem =
  | 'name'
  | 'full'
  | 'credentials'
  | 'missing'
  | 'unreachable'
  | 'failed';

/** A failed operation of the store. The message is for the operator and contains no secret. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError';

  constructor(
    readonly problem: FileStoreProblem,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

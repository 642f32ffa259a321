/** What is wrong, for programs. */
export type FileStoreProblem =
  | 'name'
  | 'full'
  | 'credentials'
  | 'missing'
  | 'unreachable'
  | 'failed';

/** The store did not do what it was asked. The message is for the operator, and holds no secret. */
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

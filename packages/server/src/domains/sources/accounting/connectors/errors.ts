/** An accounting system could not be read. The message says what to do and holds no secret. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  /** True when trying again later may help; otherwise somebody has to change something. */
  readonly isTemporary: boolean;

  constructor(message: string, options: { isTemporary: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isTemporary = options.isTemporary;
  }
}

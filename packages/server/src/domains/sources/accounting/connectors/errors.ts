/** An accounting system could not be read. The message names the remedy and contains no secret. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  /** Whether a retry may succeed without a change of the settings. */
  readonly isTemporary: boolean;

  constructor(message: string, options: { isTemporary: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isTemporary = options.isTemporary;
  }
}

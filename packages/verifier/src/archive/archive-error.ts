/** The reason why an archive cannot be read. `code` is that of the finding. */
export class ArchiveError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'ArchiveError';
    this.code = code;
  }
}

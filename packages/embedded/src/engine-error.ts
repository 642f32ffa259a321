/** What is wrong, for programs. */
export type EngineErrorCode =
  | 'folder_in_use'
  | 'lock_unproven'
  | 'folder_unusable'
  | 'disk_full'
  | 'other_version'
  | 'engine_failed'
  | 'folder_foreign';

/** The embedded engine cannot be had; the message says why, and what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError';

  constructor(
    readonly code: EngineErrorCode,
    problem: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${problem} ${remedy}`, options);
  }
}

/** The code of an operating system's error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

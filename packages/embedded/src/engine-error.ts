/** Machine-readable error codes. */
export type EngineErrorCode =
  | 'folder_in_use'
  | 'lock_unproven'
  | 'lock_copied'
  | 'folder_unusable'
  | 'disk_full'
  | 'too_many_files'
  | 'other_version'
  | 'engine_failed'
  | 'damaged'
  | 'folder_foreign';

/**
 * The embedded engine is unavailable. The message gives the reason and the remedy.
 *
 * @example
 * ```ts
 * import { EngineError, startEngine } from '@decision-ledger/embedded/engine';
 *
 * try {
 *   await startEngine({ dataDir: './ledger-data' });
 * } catch (error) {
 *   if (error instanceof EngineError) console.error(error.code, error.remedy);
 * }
 * ```
 */
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

/** The code of a system error, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

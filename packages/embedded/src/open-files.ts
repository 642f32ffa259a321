import { readFileSync } from 'node:fs';

/**
 * How many files this process may open; Infinity where the system does not show it.
 *
 * @example
 * ```ts
 * import { openFilesLimit } from '@decision-ledger/embedded/open-files';
 *
 * openFilesLimit() > 0; // => true
 * ```
 */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

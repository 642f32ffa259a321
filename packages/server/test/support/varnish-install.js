// @ts-check
import { execFileSync } from 'node:child_process';

/**
 * Whether Varnish can be started here, or the reason why not.
 * @returns {{ program: string } | { reason: string }}
 */
export function findVarnish() {
  for (const program of ['varnishd', '/usr/sbin/varnishd']) {
    try {
      execFileSync(program, ['-V'], { stdio: 'pipe' });
      return { program };
    } catch {
      // Debian keeps it in a folder that is not on every PATH.
    }
  }
  return { reason: 'Varnish is not installed' };
}

// @ts-check
import { execFileSync } from 'node:child_process';

const OLDEST_MINOR = 25;

/**
 * Whether hledger-web can be started here, or the reason why not.
 * @returns {{ version: string } | { reason: string }}
 */
export function findHledgerWeb() {
  const version = installedVersion();
  if (version === undefined) return { reason: 'hledger-web is not installed' };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 1 || minor >= OLDEST_MINOR) return { version };
  return { reason: `hledger-web ${version} is installed, and 1.${OLDEST_MINOR} is needed` };
}

function installedVersion() {
  try {
    const output = execFileSync('hledger-web', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return /(\d+\.\d+)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}

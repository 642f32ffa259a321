// @ts-check
import { execFileSync } from 'node:child_process';

const OLDEST = [1, 25];

/**
 * Whether hledger-web can be started here, or the reason why not.
 * @returns {{ version: string } | { reason: string }}
 */
export function findHledgerWeb() {
  const version = installedVersion();
  if (version === undefined) return { reason: 'hledger-web is not installed' };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (!isOld) return { version };
  return { reason: `hledger-web ${version} is installed, and ${OLDEST.join('.')} is needed` };
}

function installedVersion() {
  try {
    const output = execFileSync('hledger-web', ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return /(\d+\.\d+)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}

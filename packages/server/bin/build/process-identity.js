import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * The start time of a process. Process ids are reused, so a process is identified by id and start time.
 * Returns undefined if there is no such process.
 */
function startTimeOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The second field is the command in parentheses, which may contain spaces and parentheses.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? undefined : fields[19];
    }
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return started.trim().replace(/[^A-Za-z0-9]+/g, '_') || undefined;
  } catch {
    return undefined;
  }
}

export function ownIdentity() {
  return `${process.pid}-${startTimeOf(process.pid)}`;
}

export function isRunning(identity) {
  const match = /^(\d+)-(\w+)$/.exec(identity);
  return match !== null && startTimeOf(Number(match[1])) === match[2];
}

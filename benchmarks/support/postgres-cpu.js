import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/**
 * CPU seconds of all processes of a PostgreSQL server, including those that have ended.
 * @param {{ data: string }} postgres
 * @returns {number | null} null if the system has no /proc
 */
export function postgresCpuSeconds({ data }) {
  try {
    const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const ticks = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => ticksOf(pid, String(postmaster)))
      .reduce((sum, each) => sum + each, 0);
    return ticks / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/**
 * @param {string} pid
 * @param {string} postmaster
 */
function ticksOf(pid, postmaster) {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  if (pid === postmaster) return user + system + endedUser + endedSystem;
  return fields[1] === postmaster ? user + system : 0;
}

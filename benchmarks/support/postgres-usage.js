import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/**
 * CPU seconds of all processes of a PostgreSQL server, including those that have ended.
 * @param {{ data: string }} postgres
 * @returns {number | null} null if the system has no /proc
 */
export function postgresCpuSeconds(postgres) {
  const ticks = sumOverProcesses(postgres, ticksOf);
  return ticks === null ? null : ticks / TICKS_PER_SECOND;
}

/**
 * Memory of all processes of a PostgreSQL server without the buffers that they share, whose size is a setting.
 * @param {{ data: string }} postgres
 * @returns {number | null} MiB; null if the system has no /proc
 */
export function postgresMemory(postgres) {
  const kib = sumOverProcesses(postgres, (pid, postmaster) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const parent = /^PPid:\s+(\d+)/m.exec(status)?.[1];
    if (pid !== postmaster && parent !== postmaster) return 0;
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  });
  return kib === null ? null : kib / 1024;
}

/**
 * @param {{ data: string }} postgres
 * @param {(pid: string, postmaster: string) => number} read of any process; it may have ended
 */
function sumOverProcesses({ data }, read) {
  try {
    const [postmaster] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, pid) => sum + readOrNothing(pid, String(postmaster), read), 0);
  } catch {
    return null;
  }
}

/**
 * @param {string} pid
 * @param {string} postmaster
 * @param {(pid: string, postmaster: string) => number} read
 */
function readOrNothing(pid, postmaster, read) {
  try {
    return read(pid, postmaster);
  } catch {
    return 0;
  }
}

/**
 * @param {string} pid
 * @param {string} postmaster
 */
function ticksOf(pid, postmaster) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  if (pid === postmaster) return user + system + endedUser + endedSystem;
  return fields[1] === postmaster ? user + system : 0;
}

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** One process among all that ever ran: a process id alone comes round again. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Something that no later process of the same id shares. */
  readonly startedAt: string | null;
  /** Of the running kernel: after a restart no process is the same. */
  readonly bootId: string | null;
  /** Process ids mean something only among processes that share it. */
  readonly pidNamespace: string | null;
  readonly host: string;
}

export function ownIdentity(): ProcessIdentity {
  const { pid } = process;
  return {
    pid,
    startedAt: startOf(pid),
    bootId: tryTo(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: tryTo(() => readlinkSync('/proc/self/ns/pid')),
    host: hostname(),
  };
}

/** Whether that very process runs now, seen from a process that shares its kernel and namespace. */
export function processRuns({ pid, startedAt }: ProcessIdentity): boolean {
  return startedAt !== null && startOf(pid) === startedAt;
}

function startOf(pid: number): string | null {
  if (process.platform !== 'linux') {
    return tryTo(() =>
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim(),
    );
  }
  const stat = tryTo(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  // The name in parentheses may hold anything; the start time is the 20th word behind it.
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return words[0] === 'Z' ? null : (words[19] ?? null);
}

function tryTo(read: () => string): string | null {
  try {
    return read() || null;
  } catch {
    return null;
  }
}

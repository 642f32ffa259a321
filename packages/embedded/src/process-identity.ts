import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, identified beyond its id, which is reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** A value that differs for later processes with the same id. */
  readonly startedAt: string | null;
  /** Boot id of the kernel; it changes with each restart. */
  readonly bootId: string | null;
  /** Process ids are comparable only within one namespace. */
  readonly pidNamespace: string | null;
  readonly host: string;
}

/**
 * Identifies this process.
 *
 * @example
 * ```ts
 * import { ownIdentity } from '@decision-ledger/embedded/process-identity';
 *
 * ownIdentity().pid === process.pid; // => true
 * ```
 */
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

/**
 * Whether the process is running; valid within the same kernel and namespace.
 *
 * @example
 * ```ts
 * import { ownIdentity, processRuns } from '@decision-ledger/embedded/process-identity';
 *
 * processRuns(ownIdentity()); // => true
 * ```
 */
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
  // The name in parentheses may contain anything; the start time is the 20th word after it.
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

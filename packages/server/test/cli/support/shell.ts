import { spawn } from 'node:child_process';
import process from 'node:process';
import { VERIFIER } from '../../support/paths.js';
import { PROGRAM } from '../../support/program.js';
import type { CommandResult, Environment } from '../../support/service-process.js';

/**
 * Lets a script call `decision-ledger` and `npx --no decision-ledger` without the second that npx takes.
 * Without `--no`, npx fails here, because it could download a program of somebody else.
 */
const PRELUDE = `
decision-ledger() { '${process.execPath}' '${PROGRAM}' "$@"; }
decision-ledger-verify() { '${process.execPath}' '${VERIFIER}' "$@"; }
npx() { test "$1" = --no && shift && "$@"; }
`;

export interface ShellOptions {
  readonly cwd?: string;
  /** Ends the whole process group with SIGTERM. */
  readonly signal?: AbortSignal;
}

/** Runs a script in bash, which stops at the first failing command; it sees no other variables. */
export function runShell(
  script: string,
  environment: Environment,
  { cwd, signal }: ShellOptions = {},
): Promise<CommandResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', PRELUDE + script], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd !== undefined && { cwd }),
    ...(signal !== undefined && { signal }),
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  return new Promise((settle, reject) => {
    child.once('error', reject);
    child.once('close', (code) => settle({ code, ...said }));
  });
}

import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import process from 'node:process';
import { PROGRAM } from '../../support/program.js';

export const SHOP = resolve(import.meta.dirname, 'shop-server.js');
export const TASKS = resolve(import.meta.dirname, 'task-server.js');

/** What a client sees of a server. */
export interface Seen {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The arguments of Node.js that run a command behind the proxy. */
export function behindProxy(command: readonly string[], options: readonly string[]): string[] {
  return [PROGRAM, 'mcp-proxy', ...options, '--', ...command];
}

/** Starts Node.js with these arguments, and with few variables. */
export function start(
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string = process.cwd(),
): ChildProcess {
  const { PATH = '' } = process.env;
  return spawn(process.execPath, args, { cwd, env: { PATH, ...environment }, stdio: 'pipe' });
}

/** Everything that a process prints until it ends. */
export async function see(child: ChildProcess): Promise<Seen> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((end, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => end({ ...texts, code, signal }));
  });
}

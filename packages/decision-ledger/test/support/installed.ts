import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

/** Longer than a start on a busy machine, and than the preparation of a small demo. */
const PATIENCE_MS = 240_000;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program of an install, with its output so far. */
export interface Running {
  /** What the program printed, once a part of it matches. */
  printed(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
  /** Sends SIGTERM, and waits for the end. */
  stop(): Promise<Ended>;
}

/**
 * Starts `decision-ledger` of an install, as npx does.
 * @param folder of the install, in which the program runs
 */
export function start(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Running {
  const { PATH = '' } = process.env;
  const child = spawn(join(folder, 'node_modules/.bin/decision-ledger'), args, {
    cwd: folder,
    env: { PATH, HOME: folder, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: stdout(), stderr: stderr() }));
  });
  return {
    ended,
    printed: (pattern) => textThat(pattern, child, { stdout, stderr }),
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Runs a command to its end. */
export function run(folder: string, ...args: readonly string[]): Promise<Ended> {
  return start(folder, args).ended;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}

interface Output {
  stdout(): string;
  stderr(): string;
}

function textThat(pattern: RegExp, child: ChildProcess, output: Output): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new Error(`the program ${why}:\n${output.stdout()}${output.stderr()}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`did not print ${pattern} in time`);
    }, PATIENCE_MS);
    const look = () => {
      if (!pattern.test(output.stdout())) return;
      clearTimeout(timer);
      resolve(output.stdout());
    };
    child.stdout?.on('data', look);
    child.once('close', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
    look();
  });
}

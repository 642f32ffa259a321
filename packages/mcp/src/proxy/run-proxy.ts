import { type ChildProcess, spawn } from 'node:child_process';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { LineReader } from '../lines.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

export interface ProxyRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Receives each line after it was passed on. */
  readonly observer: { sent(line: string): void; received(line: string): void };
  warn(text: string): void;
}

/** How a command ended: with a code, or by a signal. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a command, passes the bytes of both streams on unchanged, and shows each line to the observer.
 * @throws the error of the system if the command cannot be started
 */
export async function runProxy(run: ProxyRun): Promise<Ending> {
  const child = spawn(run.command, run.args, {
    env: withoutSecrets(process.env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  const stopForwarding = forwardSignals(child);
  try {
    passOn(run.stdin, child.stdin, lineReader(run, 'sent'));
    passOn(child.stdout, run.stdout, lineReader(run, 'received'));
    // The command sees a client that is gone as it would without a proxy.
    run.stdout.on('error', () => child.stdout.destroy());
    child.stdin.on('error', () => run.stdin.unpipe(child.stdin).resume());
    return await ended;
  } finally {
    stopForwarding();
    run.stdin.destroy();
  }
}

/** The keys of the ledger are none of the command's business. */
function withoutSecrets(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith('LEDGER_')),
  );
}

/** The listener of the pipe comes first, so a chunk is passed on before it is read. */
function passOn(from: Readable, to: Writable, reader: LineReader): void {
  from.pipe(to);
  from.on('data', (chunk: Buffer) => reader.push(chunk));
  from.on('error', () => to.end());
}

function lineReader({ observer, warn }: ProxyRun, direction: 'sent' | 'received'): LineReader {
  let isBroken = false;
  return new LineReader({
    line(text) {
      if (isBroken) return;
      try {
        observer[direction](text);
      } catch (error) {
        // A fault of the observer must not reach the agent.
        isBroken = true;
        warn(`messages are passed on, but no longer recorded: ${String(error)}`);
      }
    },
    tooLong() {
      warn('a message is too long to be read: it was passed on, and is no part of a decision');
    },
  });
}

/** The end of the command, once all its output was passed on. */
function endOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Signals to this process end the command, and with it this process. If the command has ended, and another
 * process holds its output open, they end the wait for that output.
 */
function forwardSignals(child: ChildProcess): () => void {
  const forward = (signal: NodeJS.Signals) => {
    if (!child.kill(signal)) child.stdout?.destroy();
  };
  for (const signal of SIGNALS) process.on(signal, forward);
  return () => {
    for (const signal of SIGNALS) process.off(signal, forward);
  };
}

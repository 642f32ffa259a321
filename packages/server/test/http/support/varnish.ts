import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { findVarnish } from '../../support/varnish-install.js';

/** `describe` for tests that need the program; skipped with the reason in the name without it. */
export function describeVarnish(name: string, body: () => void): void {
  const found = findVarnish();
  if ('reason' in found) describe.skip(`${name} (skipped: ${found.reason})`, body);
  else describe(name, body);
}

export interface Cache {
  readonly port: number;
  stop(): Promise<void>;
}

const PORT_TRIES = 3;

/** The real program with its configuration left empty. */
export async function startVarnish(backend: number): Promise<Cache> {
  const found = findVarnish();
  if ('reason' in found) throw new Error(found.reason);
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-varnish-'));
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const listen = ['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${backend}`];
    // Without a jail, its processes may all use the folder of this one.
    const options = ['-F', '-j', 'none', ...listen, '-n', folder, '-s', 'malloc,64m'];
    const child = spawn(found.program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise<void>((resolve) => {
      child.once('close', () => resolve());
    });
    try {
      await untilItAnswers(child, port);
      return {
        port,
        async stop() {
          child.kill('SIGTERM');
          await ended;
          rmSync(folder, { recursive: true, force: true });
        },
      };
    } catch (error) {
      child.kill('SIGKILL');
      await ended;
      if (tries === PORT_TRIES) throw error;
    }
  }
}

async function untilItAnswers(child: ChildProcess, port: number): Promise<void> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (let round = 0; round < 300 && child.exitCode === null; round += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`Varnish does not answer: ${output}`);
}

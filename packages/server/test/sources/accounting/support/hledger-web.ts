import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { freePort } from '../../../support/free-port.js';
import { findHledgerWeb } from '../../../support/hledger-install.js';

export interface HledgerWeb {
  readonly url: string;
  /** Replaces the whole journal. */
  write(journal: string): void;
  stop(): Promise<void>;
}

/** `describe` for tests that need the program; skipped with the reason in the name without it. */
export function describeHledger(name: string, body: () => void): void {
  const found = findHledgerWeb();
  if ('reason' in found) describe.skip(`${name} (skipped: ${found.reason})`, body);
  else describe(name, body);
}

/**
 * The real program on its own journal, which is empty at first.
 * @param more options of the program
 */
export async function startHledgerWeb(more: readonly string[] = []): Promise<HledgerWeb> {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-hledger-'));
  const file = join(folder, 'books.journal');
  writeFileSync(file, '');
  const { server, url, ended } = await serve(file, more);
  let writings = 0;
  return {
    url,
    write: (journal) => {
      writeFileSync(file, journal);
      // The program compares file times in whole seconds, so each write gets its own second.
      writings += 1;
      const time = Date.now() / 1000 + 3600 + writings;
      utimesSync(file, time, time);
    },
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PORT_TRIES = 3;

/** Another process may take the port first: then the program ends and is started on another. */
async function serve(file: string, more: readonly string[]) {
  for (let tries = 1; ; tries += 1) {
    const port = String(await freePort());
    const options = ['-f', file, '--serve-api', '--capabilities=view', '--port', port, ...more];
    const server = spawn('hledger-web', options, {
      stdio: 'ignore',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const ended = new Promise<void>((resolve) => {
      server.once('close', () => resolve());
      server.once('error', () => resolve());
    });
    const url = `http://127.0.0.1:${port}`;
    try {
      await untilItAnswers(`${url}/version`, server);
      return { server, url, ended };
    } catch (error) {
      if (tries === PORT_TRIES || server.exitCode === null) throw error;
    }
  }
}

async function untilItAnswers(url: string, server: ChildProcess): Promise<void> {
  for (let round = 0; round < 300 && server.exitCode === null; round += 1) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('hledger-web does not answer');
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { freePort } from '../../packages/server/test/support/free-port.js';

const STARTS_WITHIN = 30_000;

/** The real program on a journal of its own, which is empty at first. */
export async function startHledger() {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-books-'));
  const file = join(folder, 'books.journal');
  writeFileSync(file, '');
  const port = String(await freePort());
  const options = ['-f', file, '--serve-api', '--capabilities=view', '--port', port];
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const server = spawn('hledger-web', options, { stdio: 'ignore', env });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url, server);
  let writings = 0;
  return {
    url,
    /** Replaces the whole journal. The program compares file times in whole seconds, so each writing has its own. */
    write(journal) {
      writeFileSync(file, journal);
      writings += 1;
      const time = Date.now() / 1000 + 3600 + writings;
      utimesSync(file, time, time);
    },
    async stop() {
      process.off('exit', kill);
      const ended = once(server, 'close');
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilItAnswers(url, server) {
  const end = Date.now() + STARTS_WITHIN;
  while (Date.now() < end && server.exitCode === null) {
    try {
      await fetch(`${url}/version`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error('hledger-web does not answer');
}

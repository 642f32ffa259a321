import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../support/client.js';
import { openTestService, type TestService } from '../support/service.js';

const CALLERS = join(import.meta.dirname, 'generated');
const PAGE = new URL('../../../../docs/guides/generated-clients.md', import.meta.url);

interface Client {
  /** The programs that the commands of the page call. */
  readonly needs: readonly string[];
  /** The command that runs what they made; the URL of the service and a key follow. */
  readonly run: readonly string[];
}

const CLIENTS: Readonly<Record<string, Client>> = {
  'oapi-codegen': { needs: ['go'], run: ['./caller'] },
  go: { needs: ['go', 'java', 'mvn'], run: ['./caller'] },
  java: {
    needs: ['javac', 'mvn'],
    run: [
      'sh',
      '-c',
      'java -cp ".:ledger/target/classes:$(cat ledger/classpath.txt)" Caller "$@"',
      'sh',
    ],
  },
  python: { needs: ['python3'], run: ['venv/bin/python', 'caller.py'] },
  typescript: { needs: ['npm'], run: ['node', 'caller.js'] },
};

const ANSWERS = ['refund-bot 0.9', '2', '2 1', 'validation_error confidence'];

describe('Clients generated from the API description', () => {
  let test: TestService;
  let url: string;

  beforeAll(async () => {
    test = await openTestService('embedded');
    url = await test.http.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => test.close());

  for (const [name, { needs, run }] of Object.entries(CLIENTS)) {
    const missing = needs.filter((program) => spawnSync('which', [program]).status !== 0);
    const why = missing.length === 0 ? '' : ` (skipped: without ${missing.join(', ')})`;
    it.skipIf(why !== '')(
      `The commands for ${name} make a client that records, reads, pages and understands errors${why}`,
      { timeout: 1_800_000 },
      async () => {
        const folder = mkdtempSync(join(tmpdir(), 'ledger-generated-'));
        try {
          await prepare(test, folder, name);
          await execute(folder, ['sh', '-e', '-c', commandsOf(name)]);
          const { live } = await test.organisation();
          const printed = await execute(folder, [...run, url, live.key ?? '']);
          expect(printed.trim().split('\n')).toEqual(ANSWERS);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    );
  }
});

/** The description of the running service, beside the program that calls it. */
async function prepare(test: TestService, folder: string, name: string): Promise<void> {
  const { text: description } = await request(test.http, 'GET', '/openapi.json');
  writeFileSync(join(folder, 'openapi.json'), description);
  for (const file of readdirSync(join(CALLERS, name))) {
    copyFileSync(join(CALLERS, name, file), join(folder, file.replace(/\.txt$/, '')));
  }
}

/** The commands of the page after `<!-- run: name -->`. */
function commandsOf(name: string): string {
  const [, after = ''] = readFileSync(PAGE, 'utf8').split(`<!-- run: ${name} -->\n`);
  const [, commands] = /^\n```sh\n([^`]*)```/.exec(after) ?? [];
  if (commands === undefined) throw new Error(`the page has no commands for ${name}`);
  return commands;
}

async function execute(
  folder: string,
  [command = '', ...args]: readonly string[],
): Promise<string> {
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect(code, `${printed.slice(-2000)}${errors.slice(-4000)}`).toBe(0);
  return printed;
}

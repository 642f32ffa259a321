import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { readConfig } from '../config.js';
import { systemClock } from '../platform/clock.js';
import { copyDemo, preparedDemo } from './demo/prepared-demo.js';
import { CommandError, type ProgressBar, print, printJson, progressBar } from './output.js';
import { type ReadyService, runService } from './serve.js';

interface DemoCommand {
  readonly dataDir?: string;
  readonly port?: number;
  readonly host?: string;
  readonly cases: number;
  readonly prepareOnly?: boolean;
  readonly json?: boolean;
}

/** Runs the service on a copy of a prepared year, until it is stopped. */
export async function demo(options: DemoCommand): Promise<void> {
  const { cases, json = false } = options;
  const given = options.dataDir === undefined ? null : resolve(options.dataDir);
  if (given !== null) refuseUsed(given);
  const prepared = await prepare(cases);
  if (options.prepareOnly === true) return;
  const dataDir = given ?? temporaryFolder();
  copyDemo(prepared, dataDir);
  await runService(configOf(options, dataDir), {
    prepared: prepared.database,
    onReady: (ready) => welcome(ready, { dataDir, isKept: given !== null, json }),
  });
}

function refuseUsed(folder: string): void {
  if (!existsSync(folder)) return;
  if (statSync(folder).isDirectory() && readdirSync(folder).length === 0) return;
  throw new CommandError(
    `${folder} is not an empty folder: give --data-dir another one, or start an earlier demo in it ` +
      `again with LEDGER_DATA_DIR=${folder} decision-ledger serve`,
  );
}

/** Removed when the process ends, however it does. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const STEPS = 1000;

async function prepare(cases: number) {
  const stop = () => process.exit(130);
  // Until the service handles signals itself: an end by `exit` removes what was begun.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const shown: { bar: ProgressBar | null } = { bar: null };
  try {
    return await preparedDemo({
      cases,
      now: systemClock.now(),
      onStart() {
        process.stderr.write('Preparing the demo. This happens once, and takes about a minute.\n');
        shown.bar = progressBar('Preparing');
      },
      onProgress: (share) => shown.bar?.update(Math.round(share * STEPS), STEPS),
    });
  } finally {
    shown.bar?.stop();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

/** Of the environment only what concerns the address and the log: a demo has data of its own. */
function configOf({ port, host }: DemoCommand, dataDir: string) {
  const { LEDGER_HOST, LEDGER_PORT, LEDGER_LOG_LEVEL } = process.env;
  const own = { LEDGER_HOST, LEDGER_PORT, LEDGER_LOG_LEVEL, LEDGER_DATA_DIR: dataDir };
  return {
    ...readConfig(own),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
  };
}

const Keys = Type.Object({ test: Type.String() });

interface Welcome {
  readonly dataDir: string;
  readonly isKept: boolean;
  readonly json: boolean;
}

async function welcome({ url, created }: ReadyService, { dataDir, isKept, json }: Welcome) {
  if (created !== null) {
    throw new CommandError('the prepared demo cannot be read: remove it and start again');
  }
  const text = await readFile(join(dataDir, 'keys.json'), 'utf8');
  const { test }: Static<typeof Keys> = Parse(Keys, JSON.parse(text));
  if (json) return printJson({ url, key: test, data_dir: dataDir });
  print(
    `Decision Ledger listens on ${url}`,
    '',
    'A year of the generated business Harbour & Pine is in its test ledger. Open the address in a',
    'browser, and sign in with this key and any name:',
    '',
    `  ${test}`,
    '',
    isKept ? `The data stay in ${dataDir}.` : 'Ctrl-C stops the service and removes its data.',
  );
}

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { NAMES } from './postgres-names.js';
import { PROGRAM } from './program.js';

/** Long enough for a first start that has to build first. */
const PATIENCE_MS = 240_000;

/** The variables of a service process; it inherits no others. */
export type Environment = Readonly<Record<string, string>>;

export function embeddedEnvironment(dataDir: string): Environment {
  return { LEDGER_DATA_DIR: dataDir };
}

const folders = new Map<string, string>();
process.once('exit', () => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
});

/** The same master key and data folder for every process of a database, as on a real installation. */
export function postgresEnvironment(databaseUrl: string): Environment {
  const known = folders.get(databaseUrl);
  const folder = known ?? mkdtempSync(join(tmpdir(), 'decision-ledger-machine-'));
  folders.set(databaseUrl, folder);
  return {
    ...NAMES,
    DATABASE_URL: databaseUrl,
    LEDGER_DATA_DIR: folder,
    LEDGER_MASTER_KEY: Buffer.alloc(32, 'master key of the tests').toString('base64'),
  };
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number | undefined;
  /** Sends SIGKILL: nothing can shut down cleanly. */
  kill(): Promise<void>;
  /** Sends SIGTERM; rejects unless the process exits cleanly. */
  stop(): Promise<void>;
  /** The exit code once the process has ended, null after a signal. */
  readonly ended: Promise<number | null>;
  /** The output so far, of both streams. */
  output(): string;
}

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  /** Without the notices of waiting, which a command writes on a busy machine. */
  readonly stderr: string;
}

const NOTICE = /^decision-ledger: .*; waited \d+ s so far\n/gm;

export interface Keys {
  readonly live: string;
  readonly test: string;
}

const KeysShape = Type.Object({ live: Type.String(), test: Type.String() });

/**
 * Runs `decision-ledger serve` on a free port and waits until it listens, also in the role worker.
 * @param program the installed commands
 */
export async function startService(
  environment: Environment,
  program = PROGRAM,
): Promise<ServiceProcess> {
  const settings = { LEDGER_PORT: '0', LEDGER_LOG_LEVEL: 'warn', ...environment };
  const child = launch(['serve'], settings, program);
  const output = collect(child);
  const ended = endOf(child);
  const url = await listeningUrl(child, output, ended);
  return {
    ...{ url, pid: child.pid, ended, output },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      child.kill('SIGTERM');
      const code = await ended;
      if (code !== 0) throw new Error(`the service ended with code ${code}:\n${output()}`);
    },
  };
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100;

/** The CPU time of a running process since its start, which no other program makes longer. Its metrics begin later. */
export function cpuSeconds(pid = 0): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name of the program, in brackets, may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Runs any other command to its end. */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  program = PROGRAM,
): Promise<CommandResult> {
  return startCommand(args, environment, program).ended;
}

export interface RunningCommand {
  readonly ended: Promise<CommandResult>;
  /** Sends SIGKILL: nothing can shut down cleanly. */
  kill(): void;
  /** Sends SIGTERM. */
  stop(): void;
  /** The standard output so far. */
  stdout(): string;
  /** The standard error so far. */
  stderr(): string;
  readonly pid: number | undefined;
}

export function startCommand(
  args: readonly string[],
  environment: Environment,
  program = PROGRAM,
): RunningCommand {
  const child = launch(args, environment, program);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  return {
    ended: endOf(child).then((code) => ({
      ...{ code, stdout: texts.stdout },
      stderr: texts.stderr.replace(NOTICE, ''),
    })),
    kill: () => void child.kill('SIGKILL'),
    stop: () => void child.kill('SIGTERM'),
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    pid: child.pid,
  };
}

/** Creates an organisation on the command line. */
export async function createOrganisation(environment: Environment, name: string): Promise<Keys> {
  const { code, stdout, stderr } = await runCommand(['org', 'create', name, '--json'], environment);
  if (code !== 0) throw new Error(`org create ended with code ${code}:\n${stderr}`);
  return readKeysText(stdout);
}

/** The keys written by the first start on the embedded engine. */
export function readKeys(dataDir: string): Keys {
  return readKeysText(readFileSync(resolve(dataDir, 'keys.json'), 'utf8'));
}

function readKeysText(text: string): Keys {
  const keys: unknown = JSON.parse(text);
  if (!Check(KeysShape, keys)) throw new Error('these are no keys');
  return keys;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function launch(args: readonly string[], environment: Environment, program: string): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  return child;
}

/** The exit code once all output has arrived, null after a signal. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

const LISTENS =
  /^Decision Ledger (?:listens on |works in the background; )(http\S+?)(?:\/healthz reports its health)?$/m;

async function listeningUrl(
  child: ChildProcess,
  output: () => string,
  ended: Promise<number | null>,
): Promise<string> {
  let stopWaiting = () => {};
  const line = new Promise<string>((resolve, reject) => {
    const look = () => {
      const url = LISTENS.exec(output())?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', look);
    const fail = (why: string) => reject(new Error(`the service ${why}:\n${output()}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(`did not listen within ${PATIENCE_MS / 1000} s`);
    }, PATIENCE_MS);
    ended.then((code) => fail(`ended with code ${code} before it listened`), reject);
    stopWaiting = () => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
    };
  });
  return line.finally(() => stopWaiting());
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, vi } from 'vitest';
import { ROOT } from '../../support/paths.js';
import type { CommandResult, Environment } from '../../support/service-process.js';

const CLONE = ['package.json', 'package-lock.json', 'node_modules', 'packages', 'examples'];
const LISTENS = /^Decision Ledger listens on (http\S+)$/m;
const { PATH = '', HOME = '' } = process.env;

/** The commands of a section of README.md, as a reader copies them. */
export function blocksOf(heading: string): string[] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const start = readme.indexOf(`\n${heading}\n`);
  expect(start, `README.md has a section ${heading}`).toBeGreaterThan(0);
  const end = readme.indexOf('\n## ', start + 1);
  const blocks = readme.slice(start, end).matchAll(/```sh\n([\s\S]*?)```/g);
  return [...blocks].map(([, commands = '']) => commands);
}

export interface Clone {
  readonly folder: string;
  /** Runs a script, which stops at the first failing command; `onOutput` is called with each piece of its output. */
  run(script: string, onOutput?: (text: string) => void): Promise<CommandResult>;
  /** Runs a script that starts the service, and waits until it listens. */
  start(script: string, more?: Environment, patienceMs?: number): Promise<Started>;
  remove(): void;
}

export interface Started {
  readonly url: string;
  output(): string;
  stop(): Promise<void>;
}

/** The content of a fresh clone after `npm ci`: everything except data. */
export function openClone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-readme-'));
  for (const name of CLONE) symlinkSync(join(ROOT, name), join(folder, name));
  return cloneIn(folder);
}

/** What was committed last, and nothing that was installed or built. */
export function freshClone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-readme-'));
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${ROOT}`, folder]);
  return cloneIn(folder);
}

function cloneIn(folder: string): Clone {
  const launch = (script: string, more: Environment = {}) =>
    spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
      cwd: folder,
      env: { PATH, HOME, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  return {
    folder,
    run: async (script, onOutput) => {
      const child = launch(script);
      const said = listen(child);
      if (onOutput !== undefined) child.stdout?.on('data', onOutput);
      const code = await endOf(child);
      return { code, stdout: said.stdout(), stderr: said.stderr() };
    },
    start: async (script, more, patienceMs = 150_000) => {
      const child = launch(script, { LEDGER_PORT: '0', LEDGER_LOG_LEVEL: 'warn', ...more });
      const said = listen(child);
      const ended = endOf(child);
      const early = ended.then((code) => {
        throw new Error(`the script ended with ${code} before it listened: ${said.stderr()}`);
      });
      const listens = () => expect(said.stdout(), said.stderr()).toMatch(LISTENS);
      await Promise.race([vi.waitFor(listens, patienceMs), early]);
      early.catch(() => undefined);
      const stop = async () => {
        process.kill(-(child.pid ?? 0), 'SIGTERM');
        await ended;
      };
      return { url: LISTENS.exec(said.stdout())?.[1] ?? '', output: said.stdout, stop };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function listen({ stdout, stderr }: ChildProcess) {
  const said = { stdout: '', stderr: '' };
  for (const [name, stream] of Object.entries({ stdout, stderr })) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said[name === 'stdout' ? 'stdout' : 'stderr'] += text;
    });
  }
  return { stdout: () => said.stdout, stderr: () => said.stderr };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((settle) => child.once('close', settle));
}

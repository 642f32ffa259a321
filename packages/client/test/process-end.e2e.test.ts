import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServedLedger, serveLedger } from './support/serve.js';

const PROGRAM = fileURLToPath(new URL('./support/end-process.js', import.meta.url));

let ledger: ServedLedger;

beforeAll(async () => {
  ledger = await serveLedger();
});

afterAll(() => ledger.close());

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
}

function run(way: string, url: string, env: Readonly<Record<string, string>> = {}): Promise<End> {
  const child = spawn(process.execPath, [PROGRAM, way, url], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, errors }));
  });
}

const recorded = (way: string) =>
  ledger.service.recorded.filter(({ inputs }) => inputs.way === way).length;

it('A process that ends by itself delivers what it recorded', async () => {
  expect(await run('itself', ledger.url)).toEqual({ code: 0, signal: null, errors: '' });
  expect(recorded('itself')).toBe(1);
});

it('A process that ends without the service says what it lost, and ends', async () => {
  const { code, errors } = await run('lost', 'http://127.0.0.1:9');
  expect(code).toBe(0);
  expect(errors).toContain('dropped: 1 decisions are lost: the process ended');
});

it('A signal that the client is asked to handle delivers, and then ends the process as before', async () => {
  expect(await run('signal', ledger.url)).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(recorded('signal')).toBe(1);
});

it('A client that is not asked to leaves signals alone', async () => {
  expect(await run('unheard', ledger.url)).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(recorded('unheard')).toBe(0);
});

it('LEDGER_DISABLED=1 records nothing', async () => {
  const end = await run('disabled', ledger.url, { LEDGER_DISABLED: '1' });
  expect(end).toEqual({ code: 0, signal: null, errors: '' });
  expect(recorded('disabled')).toBe(0);
});

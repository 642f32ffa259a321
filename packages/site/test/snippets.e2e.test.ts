import { execFile } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../server/test/support/paths.js';
import { PROGRAM } from '../../server/test/support/program.js';
import {
  embeddedEnvironment,
  type Keys,
  readKeys,
  type ServiceProcess,
  startService,
} from '../../server/test/support/service-process.js';

const run = promisify(execFile);
const DOCS = join(ROOT, 'docs');
/** A snippet that the page marks as one that runs as it is. */
const MARKED = /^( *)<!-- runs -->\n *```(\w+)\n([\s\S]*?)^ *```$/gm;

const snippets = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .sort()
  .flatMap((name) => {
    const text = readFileSync(join(DOCS, name), 'utf8');
    return Array.from(text.matchAll(MARKED), ([, indent = '', language = '', code = ''], at) => ({
      ...{ name: `${name}, snippet ${at + 1}, ${language}`, language },
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }));
  });

/** A request that is refused ends the script, and the command is the built one. */
const SHELL = `set -euo pipefail
curl() { command curl --fail-with-body "$@"; }
npx() { shift 2; "${process.execPath}" "${PROGRAM}" "$@"; }
`;

describe('Snippets that the documentation marks as running', () => {
  let service: ServiceProcess;
  let keys: Keys;
  let folder: string;
  let dataDir: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'decision-ledger-snippets-'));
    dataDir = join(folder, 'data');
    service = await startService(embeddedEnvironment(dataDir));
    keys = readKeys(dataDir);
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('There are some in the shell, in TypeScript and in Python', () => {
    expect(new Set(snippets.map(({ language }) => language))).toEqual(
      new Set(['sh', 'ts', 'python']),
    );
    expect(snippets.length).toBeGreaterThan(9);
  });

  it.each(snippets)('The snippet runs as it is: $name', async ({ language, code }) => {
    const here = code.replaceAll('http://127.0.0.1:8080', service.url);
    const env = {
      ...{ PATH: process.env.PATH, LEDGER_DATA_DIR: dataDir, LEDGER_KEY: keys.live },
      PYTHONPATH: join(ROOT, 'clients/python/src'),
    };
    const [program, ...args] = commandOf(language, here, folder);
    // A snippet that fails rejects with its output.
    await run(program, args, { cwd: folder, env, timeout: 60_000 });
  });

  it('Each client recorded its decision', async () => {
    const answer = await fetch(`${service.url}/api/v1/decisions?agent_id=refund-bot`, {
      headers: { 'X-Ledger-Key': keys.live },
    });
    const recorded = (await answer.text()).match(/"agent_id":"refund-bot"/g);
    expect(recorded?.length).toBe(3);
  });
});

function commandOf(language: string, code: string, folder: string): [string, ...string[]] {
  if (language === 'sh') return ['bash', '-c', SHELL + code];
  if (language === 'python') return ['python3', '-c', code];
  const file = join(folder, 'snippet.mjs');
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  writeFileSync(file, outputText);
  return [process.execPath, file];
}

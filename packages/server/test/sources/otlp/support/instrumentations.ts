import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const SOURCES = join(import.meta.dirname, '../instrumentations');
const run = promisify(execFile);

/** Agents with the packages that instrument them, in a temporary folder. */
export interface Instrumentations {
  /** Runs an agent to its end: each span goes to this address as soon as it ends. */
  run(agent: string, url: string, key: string): Promise<void>;
  remove(): void;
}

/** Installs the packages from their registries, in the versions that are pinned beside the agents. */
export async function installInstrumentations(): Promise<Instrumentations> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-instrumentations-'));
  cpSync(SOURCES, folder, { recursive: true });
  const [node, python] = [join(folder, 'node'), join(folder, 'python')];
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: node,
  });
  await run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check'];
  const interpreter = join(folder, 'venv/bin/python');
  await run(interpreter, [...pip, '-r', join(python, 'requirements.txt')]);
  return {
    async run(agent, url, key) {
      const isPython = agent.endsWith('.py');
      await run(isPython ? interpreter : process.execPath, [agent], {
        cwd: isPython ? python : node,
        env: {
          PATH: process.env.PATH,
          OTEL_SERVICE_NAME: 'shop',
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
          OTEL_EXPORTER_OTLP_HEADERS: `X-Ledger-Key=${key}`,
        },
      });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Why they cannot run here; null if they can. */
export function missingPrograms(): string | null {
  try {
    const isNewEnough = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
    execFileSync('python3', ['-c', isNewEnough], { stdio: 'pipe' });
    return null;
  } catch {
    return 'there is no Python 3.10 or newer with venv';
  }
}

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { manifestOf, publicPackages } from '../../../../scripts/support/packed.js';

const ROOT = join(import.meta.dirname, '../../../..');

/** What publint says about the packages that are published. */
export async function lintFindings(): Promise<string[]> {
  const findings: string[] = [];
  for (const folder of publicPackages()) {
    const manifest = manifestOf(folder);
    const { messages } = await publint({ pkgDir: folder, strict: true });
    findings.push(...messages.map((one) => `${manifest.name}: ${formatMessage(one, manifest)}`));
  }
  return findings;
}

/** What attw says about the types of an archive, for callers with ES modules; empty if nothing. */
export function typeFindings(archive: string): string {
  const attw = join(ROOT, 'node_modules/.bin/attw');
  const args = [archive, '--profile', 'esm-only', '--format', 'ascii', '--no-color'];
  const { status, stdout, stderr } = spawnSync(attw, args, { encoding: 'utf8' });
  return status === 0 ? '' : `${archive}:\n${stdout}${stderr}`;
}

/** Compiles a file with the options of a project, without the types of this repository. */
export function compile(folder: string, options: readonly string[]): string {
  const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
  const args = [compiler, '--noEmit', '--strict', '--target', 'es2023', ...options];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

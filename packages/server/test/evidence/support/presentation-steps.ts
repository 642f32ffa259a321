import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/paths.js';

/** Why the steps cannot be run here; null if they can. */
export function lackOfTools(): string | null {
  const { stdout, error } = spawnSync('openssl', ['version'], { encoding: 'utf8' });
  if (error !== undefined) return 'openssl is not installed';
  return /^OpenSSL [3-9]/.test(stdout) ? null : `this is ${stdout.trim()}, not OpenSSL 3`;
}

/** The commands of "Check one by hand", exactly as the documentation has them. */
function steps(): string {
  const page = readFileSync(join(ROOT, 'docs/presentations.md'), 'utf8');
  const section = /## Check one by hand\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  if (blocks.length !== 6) throw new Error(`the page has ${blocks.length} steps, not 6`);
  return blocks.join('\n');
}

/** What the steps print for a presentation. */
export function checkByHand(presentation: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-presentation-'));
  try {
    writeFileSync(join(folder, 'decision.dlp.json'), presentation);
    const { stdout, stderr } = spawnSync('sh', ['-c', steps()], { cwd: folder, encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Writes the software bill of materials of an install of `decision-ledger`, in the format CycloneDX.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { installPackages, npm, packPackages } from './support/packed.js';

const target = resolve(process.argv[2] ?? 'sbom.cdx.json');
const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-sbom-'));
try {
  // Of an install: in a repository of several packages, npm leaves out what another one has for development.
  const installed = join(folder, 'installed');
  installPackages(installed, packPackages(join(folder, 'packed')));
  writeFileSync(target, npm(['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], installed));
  process.stdout.write(`Wrote ${target}.\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

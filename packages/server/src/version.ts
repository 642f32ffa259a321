import { readFileSync } from 'node:fs';

/** The common version of all packages. */
export const VERSION = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!isManifest || typeof manifest.version !== 'string')
    throw new Error('package.json has no version');
  return manifest.version;
}

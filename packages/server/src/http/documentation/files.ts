import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Asset, readAsset } from '../static/asset.js';

/** A file of the site, and the tag by which a browser asks whether its copy is still the same. */
export interface SiteFile {
  readonly asset: Asset;
  readonly tag: string;
}

export interface Site {
  /** @param path below the root of the site, such as `start/finance.html` */
  file(path: string): SiteFile | undefined;
}

/**
 * The built documentation. Each file is read when it is first asked for, and kept in memory.
 * @param folder absolute path
 * @returns null if it was not built
 */
export function openSite(folder: string): Site | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = new Set(entries.map((name) => name.replaceAll('\\', '/')));
  const read = new Map<string, SiteFile>();
  return {
    file(path) {
      const kept = read.get(path);
      if (kept !== undefined) return kept;
      const asset = readAsset(folder, path, names);
      if (asset === undefined) return undefined;
      const file = { asset, tag: tagOf(asset.bodies.identity) };
      read.set(path, file);
      return file;
    },
  };
}

/** Weak, because the same page is sent in several encodings. */
function tagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
}

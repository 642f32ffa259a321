import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Asset, readAsset } from '../static/asset.js';

export interface DashboardFiles {
  /** The page, with NONCE where the nonce of a response goes. */
  readonly page: string;
  /** The page that checks exports offline. */
  readonly verifier: Buffer;
  /** By the name below /assets/, which contains a hash of the content. */
  asset(name: string): Asset | undefined;
}

export const NONCE = '__NONCE__';

/**
 * The built dashboard. Each file is read when it is first asked for, and kept in memory.
 * @param folder absolute path
 * @returns null if the dashboard was not built
 */
export function openDashboard(folder: string): DashboardFiles | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  const read = new Map<string, Asset>();
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    verifier: readFileSync(join(folder, 'verify.html')),
    asset(name) {
      const asset = read.get(name) ?? readAsset(assets, name, names);
      if (asset !== undefined) read.set(name, asset);
      return asset;
    },
  };
}

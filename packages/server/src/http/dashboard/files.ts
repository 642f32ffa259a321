import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A built file, with its compressed forms. */
export interface Asset {
  readonly type: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

export type Encoding = 'br' | 'gzip' | 'identity';

export interface DashboardFiles {
  /** The page, with NONCE where the nonce of a response goes. */
  readonly page: string;
  /** The page that checks exports offline. */
  readonly verifier: Buffer;
  /** By the name below /assets/, which contains a hash of the content. */
  asset(name: string): Asset | undefined;
}

export const NONCE = '__NONCE__';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

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
      const type = TYPES[extname(name)];
      // A name that is not in the listing could lead out of the folder.
      if (type === undefined || !names.has(name)) return undefined;
      const asset = read.get(name) ?? { type, bodies: bodiesOf(assets, name, names) };
      read.set(name, asset);
      return asset;
    },
  };
}

function bodiesOf(folder: string, name: string, names: ReadonlySet<string>): Asset['bodies'] {
  const packed = (ending: string) =>
    names.has(`${name}${ending}`) ? readFileSync(join(folder, `${name}${ending}`)) : undefined;
  const br = packed('.br');
  const gzip = packed('.gz');
  return {
    identity: readFileSync(join(folder, name)),
    ...(br !== undefined && { br }),
    ...(gzip !== undefined && { gzip }),
  };
}

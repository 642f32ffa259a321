import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Unix socket paths are limited to 103 bytes on macOS and 107 on Linux. */
const MAX_ADDRESS = 100;
/** The longest socket name in the data folder, including separators. */
const LONGEST_NAME = 24;

/** The length of a link in the folder for temporary files. */
const LINK_LENGTH = '/ledger-123456/d'.length;

const shortened = new Map<string, string>();

/**
 * A path to the folder that is short enough for sockets: the folder itself, or a symbolic link in a
 * private temporary folder that exists for the lifetime of this process.
 */
function shortFolder(folder: string): string {
  if (Buffer.byteLength(folder) + LONGEST_NAME <= MAX_ADDRESS) return folder;
  const known = shortened.get(folder);
  if (known !== undefined) return known;
  const home = mkdtempSync(join(temporaryFolder(), 'ledger-'));
  const link = join(home, 'd');
  symlinkSync(folder, link);
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  shortened.set(folder, link);
  return link;
}

/** TMPDIR, unless its path is too long for a socket itself. */
function temporaryFolder(): string {
  const folder = tmpdir();
  const length = Buffer.byteLength(folder) + LINK_LENGTH + LONGEST_NAME;
  return length <= MAX_ADDRESS ? folder : '/tmp';
}

/** The name of a new socket: a file name, or the full path of a named pipe on Windows. */
export function newSocketName(prefix: string): string {
  const name = `${prefix}${randomBytes(4).toString('hex')}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\decision-ledger-${name}` : name;
}

/** The address of a socket in the folder. */
export function socketAddress(folder: string, name: string): string {
  return process.platform === 'win32' ? name : join(shortFolder(folder), name);
}

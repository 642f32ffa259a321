import {
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** The process that writes a folder, as far as another one can identify it. */
interface Owner {
  readonly pid: number;
  /** Changes with each start of the machine. */
  readonly bootId: string | null;
  /** Process ids are comparable only within one namespace. */
  readonly pidNamespace: string | null;
  readonly host: string;
  /** Present once the owner has left the folder, while its process may live on. */
  readonly released?: true;
}

const OWNER = 'owner.json';
const SOCKET = 'alive';
/** Paths of Unix sockets are limited to 103 bytes on macOS and 107 on Linux. */
const MAX_SOCKET_PATH = 100;
/** ext, xfs, btrfs, zfs, f2fs, tmpfs, overlay: mounted by one kernel at a time. */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
]);

/**
 * Marks a folder as written by this process. The kernel closes the socket when the process ends,
 * however it ends.
 * @returns a function that ends the ownership; it takes the present path of the folder
 */
export function own(folder: string): (path: string) => void {
  const self = identity();
  writeOwner(folder, self);
  const release = (path: string) => writeOwner(path, { ...self, released: true });
  if (process.platform === 'win32') return release;
  const server: Server = createServer((socket) => socket.destroy());
  // Without a socket, the process id says whether the owner lives.
  server.on('error', () => undefined);
  withShortPath(folder, (path) => server.listen({ path: join(path, SOCKET), exclusive: true }));
  server.unref();
  return (path) => {
    release(path);
    server.close();
  };
}

function writeOwner(folder: string, owner: Owner): void {
  writeFileSync(join(folder, OWNER), `${JSON.stringify(owner)}\n`, { mode: 0o600 });
}

function identity(): Owner {
  return {
    pid: process.pid,
    bootId: tryTo(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: tryTo(() => readlinkSync('/proc/self/ns/pid')),
    host: hostname(),
  };
}

/** Whether the process that wrote a folder has certainly ended. */
export async function isOrphan(folder: string): Promise<boolean> {
  const owner = readOwner(folder);
  if (owner === null) return false;
  if (owner.released === true) return true;
  const here = identity();
  if (owner.bootId !== here.bootId) return owner.host === here.host || isLocal(folder);
  if (owner.bootId === null && owner.host !== here.host) return false;
  const reached = await reach(folder);
  if (reached !== 'missing') return reached === 'refuses';
  return owner.pidNamespace === here.pidNamespace && !isRunning(owner.pid);
}

function readOwner(folder: string): Owner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, OWNER), 'utf8'));
    return isOwner(value) ? value : null;
  } catch {
    return null;
  }
}

function isOwner(value: unknown): value is Owner {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'pid') === 'number' &&
    typeof Reflect.get(value, 'host') === 'string'
  );
}

function isLocal(folder: string): boolean {
  return tryTo(() => LOCAL.has(statfsSync(folder).type >>> 0)) ?? false;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && Reflect.get(error, 'code') === 'ESRCH');
  }
}

function reach(folder: string): Promise<'answers' | 'refuses' | 'missing'> {
  return withShortPath(
    folder,
    (path) =>
      new Promise((resolve) => {
        const socket = connect(join(path, SOCKET));
        socket.once('connect', () => {
          socket.destroy();
          resolve('answers');
        });
        socket.once('error', (error) => {
          const code: unknown = Reflect.get(error, 'code');
          if (code === 'ECONNREFUSED') resolve('refuses');
          // Any other error, such as a lack of permission, means that something listens.
          else resolve(code === 'ENOENT' || code === 'ENOTSOCK' ? 'missing' : 'answers');
        });
      }),
  );
}

/** Uses a path that is short enough for a socket while it is opened. */
function withShortPath<Result>(folder: string, work: (path: string) => Result): Result {
  if (Buffer.byteLength(folder) + SOCKET.length + 1 <= MAX_SOCKET_PATH) return work(folder);
  const isShort =
    Buffer.byteLength(tmpdir()) + '/ledger-123456/d/'.length + SOCKET.length <= MAX_SOCKET_PATH;
  const home = mkdtempSync(join(isShort ? tmpdir() : '/tmp', 'ledger-'));
  symlinkSync(folder, join(home, 'd'));
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const result = work(join(home, 'd'));
    if (result instanceof Promise) void result.finally(remove);
    else remove();
    return result;
  } catch (error) {
    remove();
    throw error;
  }
}

function tryTo<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

import { statfsSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { systemCode } from './engine-error.js';
import { ownIdentity, type ProcessIdentity, processRuns } from './process-identity.js';

/** `unproven`: it may run where this process cannot check, so it is treated as running. */
export type Liveness = 'alive' | 'dead' | 'unproven';

type Reach = 'answers' | 'refuses' | 'missing';

/**
 * Listens for the lifetime of the process. The kernel accepts connections even while the process is
 * busy or stopped, and refuses them as soon as its last thread has ended.
 */
export async function listenWhileAlive(address: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.unref();
  return server;
}

/** Whether something is listening at the address. */
export function reach(address: string): Promise<Reach> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve('answers');
    });
    socket.once('error', (error) => {
      const code = systemCode(error);
      // Other errors (a full backlog, no permission) mean that a process is listening.
      if (code === 'ECONNREFUSED') resolve('refuses');
      else resolve(code === 'ENOENT' ? 'missing' : 'answers');
    });
  });
}

/** Determines whether the owner of a lock in `folder` is alive, by its process id and its socket. */
export async function livenessOf(
  owner: ProcessIdentity,
  address: string,
  folder: string,
): Promise<Liveness> {
  const here = ownIdentity();
  if (owner.bootId !== here.bootId) return livenessOfOtherBoot(owner, folder);
  if (owner.bootId === null && owner.host !== here.host) return 'unproven';
  const numbersCount = owner.pidNamespace === here.pidNamespace;
  if (numbersCount && owner.startedAt !== null && processRuns(owner)) return 'alive';
  const reached = await reach(address);
  if (reached === 'answers') return 'alive';
  // From another container only a refusal is proof: a missing file may have been removed.
  return reached === 'refuses' || numbersCount ? 'dead' : 'unproven';
}

/** The lock was written under another boot: of this machine before a restart, or of another machine. */
function livenessOfOtherBoot(owner: ProcessIdentity, folder: string): Liveness {
  const kind = fileSystemKind(folder);
  if (kind === 'local') return 'dead';
  return kind === 'unknown' && owner.host === ownIdentity().host ? 'dead' : 'unproven';
}

/** ext, xfs, btrfs, zfs, f2fs, tmpfs: mounted by one kernel at a time. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994]);
/** NFS, SMB (two), CIFS, Ceph, AFS, Lustre, GFS2, OCFS2: mounted by many machines. */
const NETWORK = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x01161970,
  0x7461636f,
]);

function fileSystemKind(folder: string): 'local' | 'network' | 'unknown' {
  if (process.platform !== 'linux') return 'unknown';
  const type = statfsSync(folder).type >>> 0;
  if (LOCAL.has(type)) return 'local';
  return NETWORK.has(type) ? 'network' : 'unknown';
}

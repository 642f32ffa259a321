import { statfsSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { systemCode } from './engine-error.js';
import { ownIdentity, type ProcessIdentity, processRuns } from './process-identity.js';

/** `unproven`: it may run where this process cannot see it, so it counts as running. */
export type Liveness = 'alive' | 'dead' | 'unproven';

type Reach = 'answers' | 'refuses' | 'missing';

/**
 * Listens for as long as the process lives: the kernel takes connections for it even while it is
 * busy or stopped, and refuses them from the moment its last thread is gone.
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

/** Whether something listens there now. */
export function reach(address: string): Promise<Reach> {
  return new Promise((resolve) => {
    const socket = connect(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve('answers');
    });
    socket.once('error', (error) => {
      const code = systemCode(error);
      // Anything else (a full backlog, no permission) means that somebody is there.
      if (code === 'ECONNREFUSED') resolve('refuses');
      else resolve(code === 'ENOENT' ? 'missing' : 'answers');
    });
  });
}

/** Judges the process that wrote a lock in `folder`, by its number and by its socket. */
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
  // In another container only a refusal proves the end: a missing file may have been tidied away.
  return reached === 'refuses' || numbersCount ? 'dead' : 'unproven';
}

/** Another run of a kernel wrote it: this machine before it restarted, or another machine. */
function livenessOfOtherBoot(owner: ProcessIdentity, folder: string): Liveness {
  const kind = fileSystemKind(folder);
  if (kind === 'local') return 'dead';
  return kind === 'unknown' && owner.host === ownIdentity().host ? 'dead' : 'unproven';
}

/** ext, xfs, btrfs, zfs, f2fs, tmpfs: only one kernel at a time can have them mounted. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994]);
/** NFS, SMB (two), CIFS, Ceph, AFS, Lustre, GFS2, OCFS2: many machines at once. */
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

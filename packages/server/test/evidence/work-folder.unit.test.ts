import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity } from '@decision-ledger/embedded/process-identity';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorkFolder, removeLeftFolders } from '#server/domains/evidence/exports/work-folder';

const EXPORT = '0190a2b4-0000-7000-8000-000000000001';
const RUN = { firstSeq: 1, lastSeq: 0, decisions: 0, head: 0 };
const SNAPSHOT = {
  start: 0,
  end: 1,
  ...RUN,
  since: 1,
  logs: { decisions: 0, activity: 0, named: 0 },
  ...{ inRange: 0, erased: 0, namings: [] },
};

describe('Work folder of an export', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'work-folder-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const leave = async (owner: object) => {
    const path = join(root, `${EXPORT}@0123456789ab`);
    await mkdir(path);
    await writeFile(join(path, 'owner.json'), JSON.stringify(owner));
    return path;
  };

  it('A work folder of this process is taken over', async () => {
    await leave(ownIdentity());
    const { path } = await openWorkFolder(root, EXPORT);
    expect(await readdir(root)).toHaveLength(1);
    expect(JSON.parse(await readFile(join(path, 'owner.json'), 'utf8'))).toEqual(ownIdentity());
  });

  it.for([{ host: 'another-host' }, { pidNamespace: 'pid:[1]' }])(
    'A work folder of a process that differs in %j is left alone',
    async (other) => {
      await leave({ ...ownIdentity(), ...other });
      await openWorkFolder(root, EXPORT);
      expect(await readdir(root)).toHaveLength(2);
    },
  );

  it('An abandoned work folder is removed without a write, and one whose process may live stays', async () => {
    await symlink('/dev/full', join(await leave(ownIdentity()), 'owner.json.new'));
    await removeLeftFolders(root, EXPORT);
    expect(await readdir(root)).toEqual([]);
    await leave({ ...ownIdentity(), host: 'another-host' });
    await removeLeftFolders(root, EXPORT);
    expect(await readdir(root)).toHaveLength(1);
  });

  describe.skipIf(process.platform !== 'linux')('Full disk', () => {
    const FULL_DISK = { code: 'ENOSPC' };

    it('A full disk leaves no partial state, and the next save succeeds', async () => {
      const { path, save } = await openWorkFolder(root, EXPORT);
      const state = { snapshot: SNAPSHOT, activitySeq: null, parts: {} };
      await symlink('/dev/full', join(path, 'state.json.new'));
      await expect(save(state)).rejects.toMatchObject(FULL_DISK);
      expect(await readdir(path)).toEqual(['owner.json']);
      await save(state);
      expect((await openWorkFolder(root, EXPORT)).state).toEqual(state);
    });

    it('A work folder that cannot be taken over is removed', async () => {
      await symlink('/dev/full', join(await leave(ownIdentity()), 'owner.json.new'));
      await expect(openWorkFolder(root, EXPORT)).rejects.toMatchObject(FULL_DISK);
      expect(await readdir(root)).toEqual([]);
    });
  });
});

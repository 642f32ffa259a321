import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorkFolder } from '@decision-ledger/server/domains/exports/work-folder';
import { ownIdentity } from '@decision-ledger/server/platform/process-identity';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const EXPORT = '0190a2b4-0000-7000-8000-000000000001';

describe('the work folder of an export', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'work-folder-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const leave = async (owner: object) => {
    const path = join(root, `${EXPORT}@0123456789ab`);
    await mkdir(path);
    await writeFile(join(path, 'owner.json'), JSON.stringify(owner));
  };

  it('that this process left is taken over', async () => {
    await leave(ownIdentity());
    const { path } = await openWorkFolder(root, EXPORT);
    expect(await readdir(root)).toHaveLength(1);
    expect(JSON.parse(await readFile(join(path, 'owner.json'), 'utf8'))).toEqual(ownIdentity());
  });

  it.for([{ host: 'another-host' }, { pidNamespace: 'pid:[1]' }])(
    'of a process that is like this one, but for %j, is left to it',
    async (other) => {
      await leave({ ...ownIdentity(), ...other });
      await openWorkFolder(root, EXPORT);
      expect(await readdir(root)).toHaveLength(2);
    },
  );
});

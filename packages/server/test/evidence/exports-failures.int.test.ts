import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunTools } from '@decision-ledger/server/domains/evidence/exports/export-run';
import {
  countFailure,
  expireExports,
} from '@decision-ledger/server/domains/evidence/exports/index';
import { runExport } from '@decision-ledger/server/domains/evidence/exports/run';
import type { Database } from '@decision-ledger/server/platform/database';
import type { FileStore } from '@decision-ledger/server/platform/files/store';
import { idToUuid } from '@decision-ledger/server/platform/ids';
import { ownIdentity } from '@decision-ledger/server/platform/process-identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.js';
import { erase, FULL } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  check,
  download,
  make,
  readExport,
  runTools,
  verdictsOf,
} from '../support/exports.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

const PASSED = { integrity: 'pass', completeness: 'pass', authenticity: 'unproven', time: 'pass' };

let bed: TestService;
let client: Client;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  client = (await bed.organisation()).live;
  await client.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
});
afterAll(() => bed.close());

const workFolders = () => readdir(bed.service.workDir).catch((): string[] => []);

async function runOnce(tools: RunTools, exportId: string): Promise<void> {
  await runExport(tools, await scopeOf(bed, client), exportId, new AbortController().signal);
}

describe.skipIf(process.platform !== 'linux')('an export on a full disk', () => {
  it('leaves nothing there, and is made by the next try', async () => {
    await decide(client, FULL);
    const { export_id } = await askFor(client);
    const desk = runTools(bed);
    let isFull = false;
    const { tools, failures } = runTools(bed, {
      async verify(...walk) {
        if (!isFull) await fillFolders();
        isFull = true;
        return desk.tools.verify(...walk);
      },
    });
    await expect(runOnce(tools, export_id)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(failures).toHaveLength(1);
    expect(await workFolders()).toEqual([]);
    expect(await readExport(client, export_id)).toMatchObject({
      status: 'running',
      reason: expect.stringContaining('is full'),
    });
    await make(bed, client, export_id);
    expect(verdictsOf(await check(await download(bed, client, export_id)))).toEqual(PASSED);
  });

  it('leaves nothing there where what an earlier try left cannot be taken over', async () => {
    const { export_id } = await askFor(client);
    await leaveFull(export_id);
    const { tools } = runTools(bed);
    await expect(runOnce(tools, export_id)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await workFolders()).toEqual([]);
    await make(bed, client, export_id);
  });

  it('leaves nothing there when it is given up', async () => {
    const { export_id } = await askFor(client);
    await leaveFull(export_id);
    const scope = await scopeOf(bed, client);
    const fail = () =>
      countFailure(
        { ...bed.service, onFailure: () => undefined },
        scope,
        export_id,
        new Error('any'),
      );
    for (let failures = 1; failures < 6; failures += 1) expect(await fail()).not.toBe('failed');
    expect(await workFolders()).toHaveLength(1);
    expect(await fail()).toBe('failed');
    expect(await workFolders()).toEqual([]);
  });
});

/** The next state that is written to a work folder finds no room. */
async function fillFolders(): Promise<void> {
  const { workDir } = bed.service;
  for (const name of await readdir(workDir)) {
    await symlink('/dev/full', join(workDir, name, 'state.json.new'));
  }
}

/** What a try of this process left, in which nobody can be named as the owner. */
async function leaveFull(exportId: string): Promise<void> {
  const folder = join(bed.service.workDir, `${idToUuid('exp', exportId)}@0123456789ab`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owner.json'), JSON.stringify(ownIdentity()));
  await symlink('/dev/full', join(folder, 'owner.json.new'));
}

describe('the cleanup of exports', () => {
  /** A store that fails at what a test says. */
  const failing = (broken: Partial<FileStore>) => ({
    ...bed.service,
    files: { ...bed.service.files, ...broken },
  });
  const away = () => new Error('the store is away');

  it('removes all other files, and work folders, where one file cannot be removed', async () => {
    const other = (await bed.organisation()).live;
    const first = await bundleOf(bed, client);
    const rest = [await bundleOf(bed, client), await bundleOf(bed, other)];
    const folder = join(bed.service.workDir, `${idToUuid('exp', first.id)}@0123456789ab`);
    await mkdir(folder, { recursive: true });
    bed.clock.advance(24 * 3_600_000);
    const tools = failing({
      delete: (name) =>
        name.startsWith(first.id) ? Promise.reject(away()) : bed.service.files.delete(name),
    });
    await expect(expireExports(tools)).rejects.toThrow('failed steps: 1 (the store is away)');
    expect(await readExport(client, first.id)).toMatchObject({ status: 'complete' });
    for (const [n, { id }] of rest.entries()) {
      expect(await readExport(n === 0 ? client : other, id)).toMatchObject({ status: 'expired' });
    }
    expect(await workFolders()).toEqual([]);
    await expireExports(bed.service);
    expect(await readExport(client, first.id)).toMatchObject({ status: 'expired' });
  });

  it('removes work folders where files cannot even be listed', async () => {
    const { id } = await bundleOf(bed, client);
    await mkdir(join(bed.service.workDir, `${idToUuid('exp', id)}@0123456789ab`), {
      recursive: true,
    });
    const tools = failing({
      // biome-ignore lint/correctness/useYield: it fails before its first file
      async *list() {
        throw away();
      },
    });
    await expect(expireExports(tools)).rejects.toThrow('the store is away');
    expect(await workFolders()).toEqual([]);
  });
});

describe('an export whose range loses a field while it is made', () => {
  const ERASED = 'a field in its range was erased while it was being made: it starts again';

  /** Makes an export and counts what is put away. */
  async function makeAndCount(id: string, changes: Partial<RunTools>) {
    const { files } = bed.service;
    let puts = 0;
    const { tools, failures, restarts } = runTools(bed, {
      files: {
        ...files,
        put(name, path) {
          puts += 1;
          return files.put(name, path);
        },
      },
      ...changes,
    });
    await runOnce(tools, id);
    expect(failures).toEqual([]);
    expect((await download(bed, client, id)).archive.includes('secret-inputs')).toBe(false);
    return { puts, restarts };
  }

  it('begins anew before it is sealed, and says so', async () => {
    const { decision_id } = await decide(client, FULL);
    await bundleOf(bed, client);
    const { export_id } = await askFor(client);
    const desk = runTools(bed);
    let keyReads = 0;
    const erasing = once(() => erase(client, decision_id, 'inputs'));
    const reasons = new Set<string | undefined>();
    const { puts, restarts } = await makeAndCount(export_id, {
      db: watchingKeyReads(async (reads) => {
        keyReads = reads;
      }),
      async verify(...walk) {
        reasons.add((await readExport(client, export_id)).reason);
        await erasing();
        return desk.tools.verify(...walk);
      },
    });
    expect(puts).toBe(1);
    // One before each copy, and one for the only seal.
    expect(keyReads).toBe(3);
    expect(restarts).toEqual([`${export_id}: ${ERASED}`]);
    expect([...reasons]).toEqual([undefined, ERASED]);
    expect((await readExport(client, export_id)).reason).toBeUndefined();
  });

  it('begins anew before it is put away, when that happens while it is sealed', async () => {
    const { decision_id } = await decide(client, FULL);
    await bundleOf(bed, client);
    const { export_id } = await askFor(client);
    const erasing = once(() => erase(client, decision_id, 'inputs'));
    const { puts, restarts } = await makeAndCount(export_id, {
      // The first is before anything is copied, the second for the seal.
      db: watchingKeyReads(async (reads) => {
        if (reads === 2) await erasing();
      }),
    });
    expect(puts).toBe(1);
    expect(restarts).toHaveLength(1);
  });
});

/** A database that tells how often a signing key was read, before each time. */
function watchingKeyReads(onRead: (reads: number) => Promise<void>): Database {
  const { db } = bed.service;
  let reads = 0;
  return {
    ...db,
    async query(statement) {
      if (statement.text.includes('private_key')) {
        reads += 1;
        await onRead(reads);
      }
      return db.query(statement);
    },
  };
}

/** The same work for whoever asks, at whatever time. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

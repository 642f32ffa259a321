import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '@decision-ledger/embedded/process-identity';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunTools } from '#server/domains/evidence/exports/export-run';
import { countFailure, expireExports } from '#server/domains/evidence/exports/index';
import { runExport } from '#server/domains/evidence/exports/run';
import type { Database } from '#server/platform/database';
import type { FileStore } from '#server/platform/files/store';
import { idToUuid } from '#server/platform/ids';
import type { Client } from '../support/client.js';
import { erase, FULL } from '../support/erasures.js';
import { decide } from '../support/estimates.js';
import {
  askFor,
  bundleOf,
  CONSISTENT,
  check,
  contentOf,
  download,
  make,
  readExport,
  runTools,
  verdictsOf,
} from '../support/exports.js';
import { databaseWith } from '../support/own-database.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';

const PASSED = { ...CONSISTENT, authenticity: 'unproven' };

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
  await runExport(
    tools.db.ledger(await scopeOf(bed, client)),
    tools,
    exportId,
    new AbortController().signal,
  );
}

describe.skipIf(process.platform !== 'linux')('Exports on a full disk', () => {
  it('A failed try leaves nothing on a full disk, and the next try makes the export', async () => {
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

  it("A failed try leaves nothing on a full disk even if an earlier try's folder cannot be taken over", async () => {
    const { export_id } = await askFor(client);
    await leaveFull(export_id);
    const { tools } = runTools(bed);
    await expect(runOnce(tools, export_id)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await workFolders()).toEqual([]);
    await make(bed, client, export_id);
  });

  it('A dead export leaves nothing on a full disk', async () => {
    const { export_id } = await askFor(client);
    await leaveFull(export_id);
    const scope = await scopeOf(bed, client);
    const fail = () =>
      countFailure(
        bed.service.db.ledger(scope),
        { ...bed.service, onFailure: () => undefined },
        export_id,
        new Error('any'),
      );
    for (let failures = 1; failures < 6; failures += 1) expect(await fail()).not.toBe('failed');
    expect(await workFolders()).toHaveLength(1);
    expect(await fail()).toBe('failed');
    expect(await workFolders()).toEqual([]);
  });
});

/** Makes the next state written to a work folder find no room. */
async function fillFolders(): Promise<void> {
  const { workDir } = bed.service;
  for (const name of await readdir(workDir)) {
    await symlink('/dev/full', join(workDir, name, 'state.json.new'));
  }
}

/** The folder of an earlier try of this process, in which no owner can be written. */
async function leaveFull(exportId: string): Promise<void> {
  const folder = join(bed.service.workDir, `${idToUuid('exp', exportId)}@0123456789ab`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'owner.json'), JSON.stringify(ownIdentity()));
  await symlink('/dev/full', join(folder, 'owner.json.new'));
}

describe('Cleanup of exports', () => {
  /** A store with the given methods failing. */
  const failing = (broken: Partial<FileStore>) => ({
    ...bed.service,
    files: { ...bed.service.files, ...broken },
  });
  const away = () => new Error('the store is away');

  it('Cleanup removes all other files and work folders if one file cannot be removed', async () => {
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

  it('Cleanup removes work folders even if files cannot be listed', async () => {
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

describe('Erasure during an export', () => {
  const ERASED = 'a field in its range was erased while it was being made: it starts again';

  /** Makes an export and counts the uploads. */
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
    expect(contentOf(await download(bed, client, id)).includes('secret-inputs')).toBe(false);
    return { puts, restarts };
  }

  it('An export restarts before its seal if a field in its range is erased, and says so', async () => {
    const { decision_id } = await decide(client, FULL);
    await bundleOf(bed, client);
    const { export_id } = await askFor(client);
    const desk = runTools(bed);
    let keyReads = 0;
    const erasing = once(() => erase(client, decision_id, 'inputs'));
    const reasons = new Set<string | undefined>();
    const { puts, restarts } = await makeAndCount(export_id, {
      db: watchingSeals(async (reads) => {
        keyReads = reads;
      }),
      async verify(...walk) {
        reasons.add((await readExport(client, export_id)).reason);
        await erasing();
        return desk.tools.verify(...walk);
      },
    });
    expect(puts).toBe(1);
    // The API keys, for the only seal.
    expect(keyReads).toBe(1);
    expect(restarts).toEqual([`${export_id}: ${ERASED}`]);
    expect([...reasons]).toEqual([undefined, ERASED]);
    expect((await readExport(client, export_id)).reason).toBeUndefined();
  });

  it('An export restarts before its upload if a field is erased while it is sealed', async () => {
    const { decision_id } = await decide(client, FULL);
    await bundleOf(bed, client);
    const { export_id } = await askFor(client);
    const erasing = once(() => erase(client, decision_id, 'inputs'));
    const { puts, restarts } = await makeAndCount(export_id, {
      db: watchingSeals(async (reads) => {
        if (reads === 1) await erasing();
      }),
    });
    expect(puts).toBe(1);
    expect(restarts).toHaveLength(1);
  });
});

/** A database that reports how often the API keys were read for a seal, before each read. */
function watchingSeals(onRead: (reads: number) => Promise<void>): Database {
  const { db } = bed.service;
  let reads = 0;
  return databaseWith(db, {
    async query(statement) {
      if (statement.text.includes('from api_keys')) {
        reads += 1;
        await onRead(reads);
      }
      return db.query(statement);
    },
  });
}

/** Runs the work once and returns the same result to every caller. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFolder } from '@decision-ledger/embedded/data-folder';
import { readRelations } from '@decision-ledger/embedded/inspect/relations';
import { createCaller } from '../../support/caller.js';
import { embeddedEnvironment, readKeys, startService } from '../../support/service-process.js';

const PAGE_BYTES = 8192;
const LOG_FILE = /^[0-9A-F]{24}$/;

/** Data folders with the same records: of a service that was stopped, and of one that was killed. */
export class DamagedFolders {
  readonly #root = mkdtempSync(join(tmpdir(), 'decision-ledger-damage-'));
  #count = 0;

  async prepare(): Promise<void> {
    for (const name of ['stopped', 'killed'] as const) {
      const dataDir = join(this.#root, name);
      const service = await startService(embeddedEnvironment(dataDir));
      const caller = createCaller(service.url, readKeys(dataDir).test);
      for (let batch = 0; batch < 4; batch += 1) {
        const { status } = await caller.call('POST', '/api/v1/decisions/batch', {
          decisions: decisions(),
        });
        if (status >= 300) throw new Error(`a batch was answered ${status}`);
      }
      caller.close();
      await (name === 'stopped' ? service.stop() : service.kill());
    }
  }

  /** A copy, damaged. */
  copy(name: 'stopped' | 'killed', damage: (database: string) => void = () => undefined): string {
    this.#count += 1;
    const dataDir = join(this.#root, `copy-${this.#count}`);
    const isLock = /(alive-[0-9a-f]+|ledger\.sock|lock\.\d+)$/;
    cpSync(join(this.#root, name), dataDir, {
      recursive: true,
      filter: (path) => !isLock.test(path),
    });
    damage(databaseFolder(dataDir));
    return dataDir;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

function decisions(): object[] {
  return Array.from({ length: 100 }, (_, n) => ({
    ...{ agent_id: `agent-${n % 7}`, action_type: 'refund', confidence: 0.9 },
    ...{ inputs: { n, text: 'x'.repeat(900) }, outputs: { ok: true } },
  }));
}

/** Changes bytes of every page of a file, or of those from a number on. */
function flipPages(file: string, from = 0): void {
  const bytes = readFileSync(file);
  for (let at = from * PAGE_BYTES + 3000; at < bytes.length; at += PAGE_BYTES) {
    bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ 0xa55a_ff13) >>> 0, at);
  }
  writeFileSync(file, bytes);
}

/** The file of a table or an index. */
function fileOf(database: string, name: string): string {
  const relation = readRelations(database).find((each) => each.name === name);
  const [file] = relation?.files ?? [];
  if (file === undefined) throw new Error(`there is no file of ${name}`);
  return join(database, 'base/5', String(file));
}

export function flipRelation(name: string, from = 0): (database: string) => void {
  return (database) => flipPages(fileOf(database, name), from);
}

/** Applies a change to each file of the write-ahead log. */
function eachLog(change: (file: string) => void): (database: string) => void {
  return (database) => {
    const folder = join(database, 'pg_wal');
    for (const name of readdirSync(folder).filter((each) => LOG_FILE.test(each))) {
      change(join(folder, name));
    }
  };
}

export const zeroLog = eachLog((file) => {
  writeFileSync(file, Buffer.alloc(readFileSync(file).length));
});
export const emptyLog = eachLog((file) => truncateSync(file, 0));
export const removeLog = eachLog((file) => rmSync(file));

/** Changes one record in the middle of the log, which later commits follow. */
export const flipLog = eachLog((file) => {
  const bytes = readFileSync(file);
  const end = bytes.findLastIndex((byte) => byte !== 0);
  const at = Math.floor(end * 0.97);
  bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ 0xa55a_ff13) >>> 0, at);
  writeFileSync(file, bytes);
});

export function flipControl(database: string): void {
  const file = join(database, 'global/pg_control');
  const bytes = readFileSync(file);
  bytes[40] = (bytes[40] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

export function removeRelation(name: string): (database: string) => void {
  return (database) => rmSync(fileOf(database, name));
}

import { appendFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { messageOf } from '../../errors.js';
import type { Outbox, OutboxOptions, OutboxTools } from '../../outbox.js';
import type { Anchor } from '../../receipts.js';
import { AnchorFile } from './anchor.js';
import { DeliveredMark } from './delivered.js';
import { adoptOrphans, createFolder, type OwnFolder } from './folders.js';
import { DiskLane } from './own-lane.js';
import { RecoveredLane } from './recovered-lane.js';
import { SegmentWriter } from './segment.js';

const DEAD_LETTERS = 'dead-letters.ndjson';
const MAX_BYTES = 10 * 1024 ** 3;
/** How often the folders of processes that died in the meantime are searched, in ms. */
const SEARCH_MS = 60_000;

/** @throws an error of the file system if the folder cannot be written */
export function openOutbox(options: OutboxOptions, tools: OutboxTools): Outbox {
  const path = resolve(options.path);
  const folder = createFolder(path);
  const writer = new SegmentWriter(folder.path, options.fsync ?? false);
  const mark = new DeliveredMark(folder.path);
  const anchor = new AnchorFile(path, folder.path, options.fsync ?? false);
  const lane = new DiskLane({
    ...tools,
    ...{ folder: folder.path, writer, mark },
    maxDiskBytes: options.maxBytes ?? MAX_BYTES,
  });
  const recovered = new RecoveredLane(tools.report);
  const search = new OrphanSearch(path, folder, recovered, tools);
  return {
    own: lane,
    recovered,
    ready: search.ready,
    anchor: anchor.last,
    keepAnchor: (last) => keepAnchor(anchor, last, tools),
    get bytes() {
      return lane.diskBytes;
    },
    bury(entry, reason) {
      bury(path, tools, entry.json, reason);
    },
    close() {
      search.stop();
      writer.close();
      mark.close();
      anchor.close();
      recovered.close();
      const isEmpty = lane.added === lane.settled && recovered.added === recovered.settled;
      folder.release();
      if (isEmpty && search.isIdle) rmSync(folder.path, { recursive: true, force: true });
    },
  };
}

function keepAnchor(file: AnchorFile, last: Anchor, { report }: OutboxTools): void {
  try {
    file.keep(last);
  } catch (error) {
    const message = `the last receipt cannot be kept: ${messageOf(error)}`;
    report({ kind: 'outbox', message, decisions: 0, error });
  }
}

function bury(
  path: string,
  { now, report }: OutboxTools,
  json: string,
  reason: Readonly<Record<string, unknown>>,
): void {
  const at = new Date(now()).toISOString();
  const line = `{"at":"${at}","error":${JSON.stringify(reason)},"decision":${json}}\n`;
  try {
    appendFileSync(join(path, DEAD_LETTERS), line, { mode: 0o600 });
  } catch (error) {
    const message = `a dead letter cannot be written: ${messageOf(error)}`;
    report({ kind: 'outbox', message, decisions: 0, error });
  }
}

/** Searches for the folders of dead processes, at the start and then every minute. */
class OrphanSearch {
  readonly ready: Promise<void>;
  #cancel: () => void = () => undefined;
  #isStopped = false;
  isIdle = false;

  constructor(
    private readonly outbox: string,
    private readonly folder: OwnFolder,
    private readonly lane: RecoveredLane,
    private readonly tools: OutboxTools,
  ) {
    this.ready = this.#search();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #search(): Promise<void> {
    this.isIdle = false;
    try {
      for (const folder of await adoptOrphans(this.outbox, this.folder.path)) {
        if (this.#isStopped) return;
        await this.lane.adopt(folder);
      }
      if (this.lane.settled < this.lane.added) this.tools.onRecovered();
    } catch (error) {
      const message = `the outbox of former processes cannot be read: ${messageOf(error)}`;
      this.tools.report({ kind: 'outbox', message, decisions: 0, error });
    }
    this.isIdle = true;
    if (this.#isStopped) return;
    this.#cancel = this.tools.timers.after(SEARCH_MS, () => void this.#search());
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { Type } from 'typebox';
import type { Clock } from '../../../platform/clock.js';
import { lastDueTime } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { lockPosition, selectPosition } from '../../../platform/followers/positions.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  type ProjectionPart,
  rangesOf,
  UnmakeableError,
  wholeOf,
} from '../../../platform/projections/projection.js';
import type { Installation } from '../../../platform/statement.js';
import { requireWhole } from './sign.js';
import { selectCheckpoints, thinCheckpoints } from './store/checkpoints.js';
import {
  compareStrayTiles,
  compareTiles,
  selectEndOfTiles,
  TILES,
  type TilePlace,
} from './store/tiles.js';
import {
  CHAINS,
  CHECKPOINTS,
  compareTrees,
  type LogRow,
  selectLog,
  selectUnrebuiltLedgers,
  TREES,
  updateRebuilt,
} from './store/tlogs.js';
import { faultOf, LogFault, LogTree, ofLog } from './tree.js';

/**
 * Builds the logs of a ledger again and compares them with what is stored. A job, and no due work of a follower: it is one
 * pass over all records with the tree in memory, during which other ledgers would wait, and one worker is enough for it.
 */
export const LOG_REBUILDS = {
  name: 'log-rebuilds',
  data: Type.Object({}),
  once: 'key',
  retries: 3,
  firstDelay: 5,
  longestDelay: 300,
  timeout: 21_600,
} as const;

/**
 * Builds the trees of a ledger again from the records of its chains, and compares them with what is stored
 * and signed. A fault is noted, or one that is gone is withdrawn. Then thins old checkpoints.
 * @throws LogFault
 */
export async function rebuildLogs(ledger: Ledger, signal: AbortSignal): Promise<void> {
  const faults: string[] = [];
  for (const chain of CHAINS) {
    const log = await selectLog(ledger, chain);
    if (log === null) continue;
    const fault = await compare(ledger, log, signal);
    await ledger.write((tx) => updateRebuilt(tx, log, fault, tx.clock.now()));
    if (fault !== null) faults.push(fault);
    else while ((await ledger.write((tx) => thinCheckpoints(tx, log))) > 0) signal.throwIfAborted();
  }
  if (faults.length > 0) throw new LogFault(faults.join('; '));
}

/** @returns what differs first; null if nothing does */
async function compare(ledger: Ledger, log: LogRow, signal: AbortSignal): Promise<string | null> {
  try {
    await requireWhole(ledger);
    const tree = await grownTree(ledger, log, signal);
    for (const part of [...tilePartsOf(log, tree), treePartOf(log, tree)]) {
      signal.throwIfAborted();
      const { differences } = await ledger.read((reader) => part.compare(reader));
      const [first] = differences;
      if (first !== undefined)
        return `${log.origin} has another tree than its records: ${first.key}`;
      await nextTurn();
    }
    return null;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    return ofLog(log, fault);
  }
}

/** Time of day (UTC) of the rebuild. */
const REBUILD_AT = 2 * 3_600_000;

export interface RebuildRequestTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/** Queues a nightly rebuild for each ledger that had none since 02:00 UTC. */
export async function requestDueRebuilds({
  db,
  installation,
  clock,
  jobs,
}: RebuildRequestTools): Promise<void> {
  for (const scope of await selectUnrebuiltLedgers(
    installation,
    lastDueTime(clock.now(), REBUILD_AT),
  )) {
    await jobs.send(db.ledger(scope), LOG_REBUILDS, {}, 'rebuild');
  }
}

export async function transparencyJobs(jobs: JobQueue): Promise<void> {
  await jobs.work(LOG_REBUILDS, (ledger, _data, signal) => rebuildLogs(ledger, signal));
}

/** Tiles that are compared together: 512 KiB at most. */
const COMPARED = 64;
/** Stored tiles whose log is looked for together. */
const STORED = 2000;

/** Hashes of the trees of both logs. */
export const logTiles: Projection = {
  name: 'log-tiles',
  makes: ['tlog_tiles.*'],
  after: [],
  rows: TILES,
  async *parts(ledger) {
    for (const log of await logsOf(ledger)) {
      yield* tilePartsOf(log, await grownTree(ledger, log));
    }
    yield* rangesOf((after) => selectEndOfTiles(ledger, after, STORED), compareStrayTiles);
  },
  lock,
};

/** How large the trees are, and the hashes from which they grow. */
export const logTrees: Projection = {
  name: 'log-trees',
  makes: ['tlogs.frontier', 'tlogs.size'],
  after: [],
  rows: TREES,
  async *parts(ledger) {
    for (const log of await logsOf(ledger)) {
      yield treePartOf(log, await grownTree(ledger, log));
    }
  },
  lock,
};

async function logsOf(ledger: LedgerReader): Promise<LogRow[]> {
  const logs = [await selectLog(ledger, 'decisions'), await selectLog(ledger, 'activity')];
  return logs.flatMap((log) => log ?? []);
}

/** The tree of a log, as large as the stored one should be. */
async function grownTree(
  ledger: LedgerReader,
  log: LogRow,
  signal?: AbortSignal,
): Promise<LogTree> {
  const tree = new LogTree(log, signal);
  await follow(ledger, log, tree);
  return tree;
}

function treePartOf(log: LogRow, tree: LogTree): ProjectionPart {
  return wholeOf(async (reader) => {
    await follow(reader, log, tree);
    return compareTrees(reader, log, tree.range.end, tree.frontier());
  });
}

/** The tiles of a log, a few at a time. */
function* tilePartsOf(log: LogRow, tree: LogTree): Generator<ProjectionPart> {
  const all = tree.tiles();
  for (let at = 0; at <= all.length; at += COMPARED) {
    const isLast = at + COMPARED > all.length;
    const range = {
      after: at === 0 ? null : (all[at - 1] ?? null),
      until: isLast ? null : (all[at + COMPARED - 1] ?? null),
    };
    yield {
      done: Math.min(at + COMPARED, all.length),
      total: all.length,
      compare: (reader) => compareRange(reader, log, tree, range),
    };
  }
}

async function compareRange(
  reader: LedgerReader,
  log: LogRow,
  tree: LogTree,
  { after, until }: KeyRange<TilePlace>,
): Promise<RowComparison> {
  await follow(reader, log, tree);
  const within = tree
    .tiles()
    .filter(
      (tile) =>
        (after === null || isBefore(after, tile)) && (until === null || !isBefore(until, tile)),
    );
  return compareTiles(reader, log, { after, until }, within);
}

const isBefore = (one: TilePlace, other: TilePlace) =>
  one.level < other.level || (one.level === other.level && one.tile < other.tile);

/** Extends the tree up to where the follower has extended the stored one. */
async function follow(reader: LedgerReader, log: LogRow, tree: LogTree): Promise<void> {
  const until = await signedUntil(reader, log);
  try {
    await tree.extend(reader, until);
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    throw new UnmakeableError(ofLog(log, fault), { cause: fault });
  }
}

/** The position of the follower, which moves with each checkpoint. */
async function signedUntil(reader: LedgerReader, log: LogRow): Promise<number> {
  const position = async () => (await selectPosition(reader, CHECKPOINTS, log.chain)).seq ?? 0;
  const [beyond] = await selectCheckpoints(reader, log, await position(), 1);
  const until = await position();
  if (beyond === undefined || beyond.size <= until) return until;
  throw new UnmakeableError(
    `${log.origin}: a checkpoint of ${beyond.size} records is signed, and the position of the follower is ${until}`,
  );
}

/** Whoever extends the trees holds their positions. */
async function lock(tx: LedgerWriter): Promise<void> {
  for (const chain of CHAINS) await lockPosition(tx, CHECKPOINTS, chain);
}

import type { ChainName } from '../../../platform/chain/head.js';
import { lockPosition, selectPosition } from '../../../platform/followers/positions.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  type ProjectionPart,
  rangesOf,
  UnmakeableError,
  wholeOf,
} from '../../../platform/projections/projection.js';
import { faultOf, ofLog } from './fault.js';
import { LogTree } from './log-tree.js';
import { selectCheckpoints } from './store/checkpoints.js';
import { CHECKPOINTS } from './store/due-logs.js';
import {
  compareStrayTiles,
  compareTiles,
  selectEndOfTiles,
  TILES,
  type TilePlace,
} from './store/tiles.js';
import { compareTrees, type LogRow, selectLog, TREES } from './store/tlogs.js';

const CHAINS: readonly ChainName[] = ['decisions', 'activity'];
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
export async function grownTree(
  ledger: LedgerReader,
  log: LogRow,
  signal?: AbortSignal,
): Promise<LogTree> {
  const tree = new LogTree(log, signal);
  await follow(ledger, log, tree);
  return tree;
}

export function treePartOf(log: LogRow, tree: LogTree): ProjectionPart {
  return wholeOf(async (reader) => {
    await follow(reader, log, tree);
    return compareTrees(reader, log, tree.range.end, tree.frontier());
  });
}

/** The tiles of a log, a few at a time. */
export function* tilePartsOf(log: LogRow, tree: LogTree): Generator<ProjectionPart> {
  const all = tree.tiles();
  for (let at = 0; at <= all.length; at += COMPARED) {
    const isLast = at + COMPARED > all.length;
    const range = {
      after: at === 0 ? null : (all[at - 1] ?? null),
      until: isLast ? null : (all[at + COMPARED - 1] ?? null),
    };
    yield {
      ...{ done: Math.min(at + COMPARED, all.length), total: all.length },
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

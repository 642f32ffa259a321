import { setTimeout as pause } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { type ChainHead, hasRecords, readHeads } from './chain/head.js';
import { type Stopwatch, systemStopwatch } from './clock.js';
import { type DatabaseAddress, type Patience, QUICK, replicaLogin } from './connection.js';
import { openDatabase } from './database.js';
import { isContention } from './failures.js';
import type { Ledger, LedgerContext, LedgerReader } from './ledger.js';

/** The server that was read. */
export type ReadServer = 'primary' | 'replica';

/** What became of work that a replica could do: it was `behind`, or it `failed`, so that the primary did it. */
export type ReplicaOutcome = 'replica' | 'behind' | 'failed';

/** Where work is done that only reads. */
export interface Reads {
  /**
   * Reads a ledger with all that was committed when this is called, on a replica if there is one that has it.
   * @param work may be called a second time, for the primary, and then replaces what it read before
   */
  run<Result>(
    ledger: Ledger,
    work: (ledger: Ledger, server: ReadServer) => Promise<Result>,
  ): Promise<Result>;
  close(): Promise<void>;
}

export interface ReadsOptions {
  readonly address: DatabaseAddress;
  readonly context: LedgerContext;
  readonly maxConnections: number;
  readonly stopwatch?: Stopwatch;
  readonly onOutcome?: (outcome: ReplicaOutcome) => void;
}

/** A replica is passed over for so long after it could not be reached, in ms. */
const AWAY_MS = 5000;

/** Nobody waits long for a replica, because there is the primary. */
const PATIENCE: Patience = { ...QUICK, connectMs: 1000 };

export const ON_PRIMARY: Reads = {
  run: (ledger, work) => work(ledger, 'primary'),
  close: () => Promise.resolve(),
};

/** Without an address of a replica, everything is read on the primary. */
export function openReads(options: ReadsOptions): Reads {
  const login = replicaLogin(options.address);
  if (login === null) return ON_PRIMARY;
  const { context, maxConnections, stopwatch = systemStopwatch } = options;
  const { onOutcome = () => undefined } = options;
  const db = openDatabase({ ...login, context, maxConnections, patience: PATIENCE });
  let awayUntil = 0;

  async function onReplica<Result>(
    ledger: Ledger,
    work: (ledger: Ledger, server: ReadServer) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    if (stopwatch() < awayUntil) return null;
    const heads = await readHeads(ledger);
    try {
      const replica = db.ledger(ledger.scope);
      const hasAll = await catchesUp(replica, heads);
      const done = hasAll ? { result: await work(replica, 'replica') } : null;
      onOutcome(hasAll ? 'replica' : 'behind');
      return done;
    } catch (error) {
      if (error instanceof LedgerError && error.code !== 'unavailable') {
        // The answer is that the request is wrong.
        onOutcome('replica');
        throw error;
      }
      if (!isContention(error)) awayUntil = stopwatch() + AWAY_MS;
      onOutcome('failed');
      return null;
    }
  }

  return {
    async run(ledger, work) {
      const done = await onReplica(ledger, work);
      return done === null ? work(ledger, 'primary') : done.result;
    },
    close: () => db.close(),
  };
}

/** How long a replica may take to get what was committed, and how often it is asked, in ms. */
const CATCH_UP = { mostMs: 100, stepMs: 10 };

/** Whether a replica has, or gets soon, the records at given heads. After a failover it may have others in their place. */
async function catchesUp(replica: LedgerReader, wanted: readonly ChainHead[]): Promise<boolean> {
  for (let waited = 0; ; waited += CATCH_UP.stepMs) {
    if (await hasRecords(replica, wanted)) return true;
    if (waited >= CATCH_UP.mostMs) return false;
    await pause(CATCH_UP.stepMs);
  }
}

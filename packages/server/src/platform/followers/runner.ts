import type { Installation } from '../installation.js';
import type { Notifications } from '../notifications.js';
import { spaced } from '../spaced.js';
import { startTicker } from '../ticker.js';
import { selectBehind } from './behind.js';
import type { Follower } from './follower.js';
import { type QuantumTools, type Turn, workQuantum } from './quantum.js';
import { sourceOf } from './source.js';
import { AfterCommitError } from './step.js';
import { type Owned, Turns } from './turns.js';

export interface FollowTools extends QuantumTools {
  readonly installation: Installation;
  readonly followers: readonly Follower[];
  /** Called with the error of a query, or of a turn, which is repeated later. */
  readonly onError: (error: unknown) => void;
}

export interface Following {
  /**
   * Looks for what is due.
   * @param ledgerIds UUIDs; null for all ledgers
   */
  look(ledgerIds: readonly string[] | null): Promise<void>;
  /** Resolves when nothing is left of what was found. */
  idle(): Promise<void>;
  /** Ends after the current step. */
  stop(): Promise<void>;
}

type OwnTurn = Turn & Owned;

/** Lets followers take what is new in the logs of all ledgers, organisation by organisation. */
export function following(tools: FollowTools): Following {
  const { db, installation, clock, followers, onError } = tools;
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  const turns = new Turns<OwnTurn>();
  const stopped = new AbortController();
  let working: Promise<void> | null = null;
  /** Who has the turn. What it does not see of a ledger is found by the next look. */
  let current: OwnTurn | null = null;

  async function work(): Promise<void> {
    for (let turn = turns.next(); turn !== null; turn = turns.next()) {
      current = turn;
      const hasMore = await workQuantum(tools, turn, stopped.signal).catch((error: unknown) => {
        onError(error);
        // What hinders one hinders all: the next look finds them again.
        if (!(error instanceof AfterCommitError)) turns.clear();
        return false;
      });
      current = null;
      if (stopped.signal.aborted) return;
      if (hasMore) turns.add(turn);
    }
  }

  return {
    async look(ledgerIds) {
      for (const behind of await selectBehind(installation, followers, clock.now(), ledgerIds)) {
        const follower = byName.get(behind.follower);
        if (follower === undefined) continue;
        const { ledgerId, orgId } = behind.scope;
        const key = `${ledgerId} ${follower.name}`;
        if (key === current?.key) continue;
        const source = sourceOf(db.ledger(behind.scope), follower);
        turns.add({ key, orgId, follower, source, limit: follower.step });
      }
      if (stopped.signal.aborted) return;
      working ??= work().finally(() => {
        working = null;
      });
    },
    async idle() {
      await working;
    },
    async stop() {
      stopped.abort();
      await working;
    },
  };
}

/** How often all ledgers are looked at, in ms: other processes may not be able to notify this one. */
const LOOK_MS = 1000;
/** Steady writes to a ledger wake its followers this often at most, in ms. */
const WAKE_MS = 250;

/** Follows the logs until it is stopped: woken by commits, and by one query a second for all ledgers. */
export function startFollowing(
  tools: FollowTools,
  notifications: Notifications,
): Pick<Following, 'stop'> {
  const run = following(tools);
  const woken = new Set<string>();
  let looking: Promise<void> | null = null;

  async function lookAtWoken(): Promise<void> {
    while (woken.size > 0) {
      const ledgerIds = [...woken];
      woken.clear();
      await run.look(ledgerIds).catch(tools.onError);
    }
  }

  const wakes = spaced((ledgerId) => {
    woken.add(ledgerId);
    looking ??= lookAtWoken().finally(() => {
      looking = null;
    });
  }, WAKE_MS);
  const unlisten = notifications.listen((topic) => {
    if (LEDGER.test(topic)) wakes.call(topic);
  });
  const ticker = startTicker(LOOK_MS, () => run.look(null), tools.onError);
  return {
    async stop() {
      unlisten();
      wakes.stop();
      await ticker.stop();
      await looking;
      await run.stop();
    },
  };
}

/** Topics are ledgers or job queues. */
const LEDGER = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

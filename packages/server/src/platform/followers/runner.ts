import { startTicker } from '../clock.js';
import { spaced } from '../coalesce.js';
import type { Notifications } from '../notifications.js';
import type { Installation } from '../statement.js';
import { selectBehind } from './behind.js';
import type { Follower, LaneName } from './follower.js';
import { Lane } from './lane.js';
import type { QuantumTools } from './quantum.js';
import { sourceOf } from './source.js';

/** How much followers may have of the database at a time. */
export interface Pace {
  /** The most organisations that the short lane serves at a time. */
  readonly atOnce: number;
  /** How long (ms) a step should take at most. */
  readonly stepMs: number;
}

/** On one connection, everything waits for a step. */
const ONE_CONNECTION: Pace = { atOnce: 1, stepMs: 50 };

export interface FollowTools extends Omit<QuantumTools, 'atWork' | 'stepMs'> {
  readonly installation: Installation;
  readonly followers: readonly Follower[];
  readonly pace?: Pace;
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

/**
 * Lets followers take what is new in the logs of all ledgers, organisation by organisation in each lane.
 * @param onWorked called when something was done for a ledger (UUID), because of which more may be due
 */
export function following(
  tools: FollowTools,
  onWorked: (ledgerId: string) => void = () => undefined,
): Following {
  const { db, installation, clock, followers, pace = ONE_CONNECTION } = tools;
  const byName = new Map(followers.map((follower) => [follower.name, follower]));
  const stopped = new AbortController();
  const atWork = (): number => all.reduce((sum, lane) => sum + lane.atWork, 0);
  const laneOf = (atOnce: number): Lane =>
    new Lane({ ...tools, ...pace, atOnce, onWorked, atWork }, stopped.signal);
  const lanes: Readonly<Record<LaneName, Lane>> = {
    short: laneOf(pace.atOnce),
    heavy: laneOf(1),
    long: laneOf(1),
  };
  const all = Object.values(lanes);
  const idle = async () => {
    await Promise.all(all.map((lane) => lane.idle()));
  };
  return {
    async look(ledgerIds) {
      for (const behind of await selectBehind(installation, followers, clock.now(), ledgerIds)) {
        const follower = byName.get(behind.follower);
        if (follower === undefined) continue;
        const { ledgerId, orgId } = behind.scope;
        const key = `${ledgerId} ${follower.name}`;
        const source = sourceOf(db.ledger(behind.scope), follower);
        lanes[follower.lane ?? 'short'].add({ key, orgId, ledgerId, follower, source });
      }
      for (const lane of all) lane.start();
    },
    idle,
    async stop() {
      stopped.abort();
      await idle();
    },
  };
}

/** How often all ledgers are looked at, in ms: other processes may not be able to notify this one. */
const LOOK_MS = 1000;
/** With very many ledgers, a look takes long. It is repeated after so many times as long. */
const LOOK_PAUSES = 20;
/** Steady writes to a ledger cause a look at it this often at most, in ms. */
const WAKE_MS = 100;
/** Ledgers are looked at together, this often at most, in ms. */
const GATHER_MS = 20;
const WOKEN = 'woken ledgers';

/** Follows the logs until it is stopped: woken by commits, and by one query a second for all ledgers. */
export function startFollowing(
  tools: FollowTools,
  notifications: Notifications,
): Pick<Following, 'stop'> {
  const { stopwatch, onError } = tools;
  const woken = new Set<string>();
  let looking: Promise<void> | null = null;

  const looks = spaced(() => {
    if (looking !== null) return;
    const ledgerIds = [...woken];
    woken.clear();
    looking = run
      .look(ledgerIds)
      .catch(onError)
      .finally(() => {
        looking = null;
        // Calls during a look that took long had no effect.
        if (woken.size > 0) looks.call(WOKEN);
      });
  }, GATHER_MS);
  const wakes = spaced((ledgerId) => {
    woken.add(ledgerId);
    looks.call(WOKEN);
  }, WAKE_MS);
  const run = following(tools, wakes.call);

  let nextLook = Number.NEGATIVE_INFINITY;
  async function lookAtAll(): Promise<void> {
    const started = stopwatch();
    if (started < nextLook) return;
    await run.look(null);
    const ended = stopwatch();
    nextLook = ended + LOOK_PAUSES * (ended - started);
  }

  const unlisten = notifications.listen((topic) => {
    if (LEDGER.test(topic)) wakes.call(topic);
  });
  const ticker = startTicker(LOOK_MS, lookAtAll, onError);
  return {
    async stop() {
      unlisten();
      wakes.stop();
      looks.stop();
      await Promise.all([run.stop(), ticker.stop(), looking]);
    },
  };
}

/** Topics are ledgers or job queues. */
const LEDGER = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

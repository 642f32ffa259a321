import { invalidField, LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { CLOSE_CODES, type StreamQuery } from '@decision-ledger/contract/stream';
import pLimit from 'p-limit';
import { startTicker, type Ticker } from '../../../platform/clock.js';
import type { Notifications } from '../../../platform/notifications.js';
import type { Scope } from '../../../platform/principal.js';
import { readStreamFilter } from './rules/frame.js';
import { coversPosition, type StreamPosition } from './rules/position.js';
import { selectHeads } from './store/logs.js';
import {
  addMember,
  type GroupOptions,
  openGroup,
  refreshGroup,
  type Subscription,
  type SubscriptionGroup,
  type SubscriptionPlan,
} from './subscription-group.js';

export interface HubOptions extends PollingOptions {
  /** How many connections replay from the database at the same time. */
  readonly concurrentReplays: number;
  readonly onCount: (open: number) => void;
}

/** Events of an open connection. */
export interface SubscriptionEvents {
  /** The caller answered a ping. */
  answered(): void;
  ended(): void;
}

/** All connections to the stream of this process. */
export interface StreamHub {
  /**
   * @param limit connections of an organisation, both modes together
   * @throws LedgerError `rate_limited` when the limit is reached, `unavailable` during shutdown
   */
  reserve(orgId: string, limit: number): Reservation;
  /**
   * Reads a query. The stream begins after the event that it names, or at the end of the ledger.
   * @throws LedgerError `validation_error` for an unknown type, or an id of another ledger
   */
  plan(scope: Scope, query: StreamQuery): Promise<SubscriptionPlan>;
  subscribe(subscription: Subscription): SubscriptionEvents;
  /** Closes all connections with the code `goingAway`. */
  close(): Promise<void>;
}

/** How long closing handshakes may take at shutdown. */
const SHUTDOWN_MS = 500;
const SHUTDOWN_REASON = 'the service is stopping: connect again';

export function streamHub(options: HubOptions): StreamHub {
  const quota = connectionQuota();
  const groups = new Map<string, SubscriptionGroup>();
  const limit = pLimit(options.concurrentReplays);
  let polling: Polling | null = null;
  let isClosed = false;
  let open = 0;

  function count(change: number): void {
    open += change;
    options.onCount(open);
  }

  /** A new feed starts at the end of the ledger. A member that is behind replays by itself. */
  function groupOf(scope: Scope, end: StreamPosition): SubscriptionGroup {
    // After a restore, the next subscription opens a group that starts at the restored state.
    const remove = () => void groups.delete(scope.ledgerId);
    const group = groups.get(scope.ledgerId) ?? openGroup(options, scope, end, remove);
    groups.set(scope.ledgerId, group);
    polling ??= startPolling(options, groups);
    return group;
  }

  return {
    reserve(orgId, maximum) {
      if (isClosed) throw unavailable('the service is shutting down');
      return quota.reserve(orgId, maximum);
    },
    async plan(scope, query) {
      const filter = readStreamFilter(query);
      return { filter, ...(await findSpan(options, scope, query.after)) };
    },
    subscribe(subscription) {
      const { scope } = subscription.principal;
      const group = groupOf(scope, subscription.end);
      const { feed, members } = group;
      const member = addMember(options, limit, group, subscription);
      const { subscriber } = member;
      count(1);
      void subscriber.run();
      feed.wake();
      if (isClosed) subscriber.close(CLOSE_CODES.goingAway, SHUTDOWN_REASON);
      return {
        answered: () => subscriber.answered(),
        ended: () => {
          if (!members.delete(member)) return;
          subscriber.end();
          count(-1);
          if (members.size > 0 || isClosed) return;
          if (groups.get(scope.ledgerId) === group) groups.delete(scope.ledgerId);
          void feed.close();
        },
      };
    },
    async close() {
      isClosed = true;
      const members = [...groups.values()].flatMap((group) => [...group.members]);
      for (const { subscriber } of members) {
        subscriber.close(CLOSE_CODES.goingAway, SHUTDOWN_REASON);
      }
      await Promise.all([...groups.values()].map(({ feed }) => feed.close()));
      await polling?.stop();
      if (members.length > 0) await new Promise((resolve) => setTimeout(resolve, SHUTDOWN_MS));
      for (const { wire } of members) wire.destroy();
    },
  };
}

async function findSpan(
  { db, positions }: HubOptions,
  scope: Scope,
  after: string | undefined,
): Promise<Pick<SubscriptionPlan, 'start' | 'end'>> {
  const start = after === undefined ? undefined : positions.decode(scope, after);
  if (start === null) throw invalidField('after', 'must be the id of an event of this ledger');
  const heads = await selectHeads(db.ledger(scope));
  if (start !== undefined && !coversPosition(heads, start)) {
    throw invalidField('after', 'is after the end of the ledger, which was restored: leave it out');
  }
  return { start: start ?? heads, end: heads };
}

/** One connection of an organisation's quota. */
export interface Reservation {
  release(): void;
}

/** Counts the open connections of each organisation in this process. */
export interface ConnectionQuota {
  /** @throws LedgerError `rate_limited` when the organisation has `limit` connections */
  reserve(orgId: string, limit: number): Reservation;
}

const RETRY_SECONDS = '10';

function connectionQuota(): ConnectionQuota {
  const open = new Map<string, number>();
  return {
    reserve(orgId, limit) {
      const count = open.get(orgId) ?? 0;
      if (count >= limit) throw tooMany(limit);
      open.set(orgId, count + 1);
      let isReleased = false;
      return {
        release() {
          if (isReleased) return;
          isReleased = true;
          const left = (open.get(orgId) ?? 0) - 1;
          if (left > 0) open.set(orgId, left);
          else open.delete(orgId);
        },
      };
    },
  };
}

function tooMany(limit: number): LedgerError {
  return new LedgerError(
    'rate_limited',
    `the organisation has ${limit} connections open here: close one, or raise stream.max_connections`,
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
}

export interface PollingOptions extends GroupOptions {
  readonly notifications: () => Notifications;
}

export interface Polling {
  stop(): Promise<void>;
}

const POLL_MS = 1000;
const KEEP_ALIVE_MS = 250;

/**
 * Listens for notifications of new events. Polls every second as well, since a notification may be
 * lost, and checks the timeouts of all connections.
 */
function startPolling(
  options: PollingOptions,
  groups: ReadonlyMap<string, SubscriptionGroup>,
): Polling {
  const { notifications, onError } = options;
  const stopListening = notifications().listen((ledgerId) => groups.get(ledgerId)?.feed.wake());
  const poll = async () => {
    for (const group of groups.values()) await refreshGroup(options, group).catch(onError);
  };
  const keepAlive = () => {
    for (const { members } of groups.values()) {
      for (const { subscriber } of members) subscriber.keepAlive();
    }
    return Promise.resolve();
  };
  const tickers: Ticker[] = [
    startTicker(POLL_MS, poll, onError),
    startTicker(KEEP_ALIVE_MS, keepAlive, onError),
  ];
  return {
    async stop() {
      stopListening();
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
}

import { invalidField, unavailable } from '@decision-ledger/contract/errors';
import { CLOSE_CODES, type StreamQuery } from '@decision-ledger/contract/stream';
import pLimit from 'p-limit';
import type { Scope } from '../../../platform/principal.js';
import { connectionQuota, type Reservation } from './connection-quota.js';
import { type Polling, type PollingOptions, startPolling } from './polling.js';
import { readStreamFilter } from './rules/filter.js';
import { coversPosition, type StreamPosition } from './rules/position.js';
import { selectHeads } from './store/logs.js';
import {
  addMember,
  openGroup,
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

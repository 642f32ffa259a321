import { LedgerError } from '@decision-ledger/contract/errors';
import { CLOSE_CODES } from '@decision-ledger/contract/stream';
import type { LimitFunction } from 'p-limit';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { credentialId, type Principal, type Scope } from '../../../platform/principal.js';
import { usableCredentials } from '../../access/sessions/index.js';
import { type LedgerFeed, openLedgerFeed, type PositionCodec } from './ledger-feed.js';
import type { StreamFilter } from './rules/frame.js';
import type { StreamPosition } from './rules/position.js';
import { Subscriber, type Wire } from './subscriber.js';

export interface GroupOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly positions: PositionCodec;
  /** Size of the replay buffer of each ledger. */
  readonly bufferBytes?: number;
  readonly onError: (error: unknown) => void;
}

/** What a connection is sent: the events after a position that pass the filter. */
export interface SubscriptionPlan {
  readonly filter: StreamFilter;
  readonly start: StreamPosition;
  /** The end of the ledger when the plan was made. */
  readonly end: StreamPosition;
}

export interface Subscription extends SubscriptionPlan {
  readonly principal: Principal;
  readonly wire: Wire;
}

/** An open connection. */
interface Member {
  /** Public identifier of its key or session. */
  readonly credential: string;
  readonly subscriber: Subscriber;
  readonly wire: Wire;
}

/** The open connections to one ledger, and the feed that they share. */
export interface SubscriptionGroup {
  readonly feed: LedgerFeed;
  readonly members: Set<Member>;
}

const BUFFER_BYTES = 8 * 1024 * 1024;
/** Size of one page that is replayed from the database. */
const REPLAY_BYTES = 256 * 1024;
const WENT_BACK = 'an older state of the ledger was restored: connect without `after`';

/**
 * @param start the feed begins here
 * @param onWentBack called when an older state of the ledger was restored; all members are closed
 */
export function openGroup(
  options: GroupOptions,
  scope: Scope,
  start: StreamPosition,
  onWentBack: () => void,
): SubscriptionGroup {
  const { db, clock, positions, bufferBytes = BUFFER_BYTES } = options;
  const members = new Set<Member>();
  const closeAll = (code: number, reason: string) => {
    for (const { subscriber } of members) subscriber.close(code, reason);
  };
  const feed = openLedgerFeed(scope, start, {
    db,
    clock,
    positions,
    bufferBytes,
    onNotification: () => wakeAll(members),
    onError: (error) => {
      options.onError(error);
      // A temporary error is retried. Any other would leave the members waiting for ever.
      if (error instanceof LedgerError && error.code === 'unavailable') return;
      closeAll(CLOSE_CODES.internalError, 'the ledger cannot be read');
    },
    onWentBack: () => {
      onWentBack();
      closeAll(CLOSE_CODES.wentBack, WENT_BACK);
    },
  });
  return { feed, members };
}

/** @param limit how many members replay from the database at the same time */
export function addMember(
  { clock, stopwatch, onError }: GroupOptions,
  limit: LimitFunction,
  { feed, members }: SubscriptionGroup,
  { principal, filter, start, wire }: Subscription,
): Member {
  const subscriber = new Subscriber({
    feed,
    filter,
    start,
    wire,
    clock,
    stopwatch,
    replay: (from, to) => limit(() => feed.read({ from, to, filter, maxBytes: REPLAY_BYTES })),
    onError,
  });
  const member = { credential: credentialId(principal), subscriber, wire };
  members.add(member);
  return member;
}

/** Reads what is new, and closes the members whose key or session was revoked or has expired. */
export async function refreshGroup(
  { db }: GroupOptions,
  { feed, members }: SubscriptionGroup,
): Promise<void> {
  feed.wake();
  wakeAll(members);
  const ids = [...new Set([...members].map(({ credential }) => credential))];
  const usable = await usableCredentials(db.ledger(feed.scope), ids);
  for (const { credential, subscriber } of members) {
    // A member that joined during the query is checked next time.
    const isUsable = !ids.includes(credential) || usable.has(credential);
    if (!isUsable) subscriber.close(CLOSE_CODES.keyEnded, 'the key was revoked or has expired');
  }
}

function wakeAll(members: ReadonlySet<Member>): void {
  for (const { subscriber } of members) subscriber.wake();
}

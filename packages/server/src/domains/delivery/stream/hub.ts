import { invalidField, LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { CLOSE_CODES, type StreamQuery } from '@decision-ledger/contract/stream';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Notifications } from '../../../platform/notifications.js';
import type { Principal } from '../../../platform/principal.js';
import type { Scope } from '../../../platform/scope.js';
import { startTicker, type Ticker } from '../../../platform/ticker.js';
import { usablePrincipals } from '../../access/keys/index.js';
import { type Feed, openFeed } from './feed.js';
import { type Lanes, openLanes } from './lanes.js';
import type { PositionCodec } from './position-codec.js';
import { readLogs } from './read-logs.js';
import { passes, readFilter, type StreamFilter } from './rules/filter.js';
import { covers, type Position } from './rules/position.js';
import { selectHeads } from './store/logs.js';
import { type Behind, type PlacedFrame, Subscriber } from './subscriber.js';
import type { Wire } from './wire.js';

export interface HubOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly positions: PositionCodec;
  readonly notifications: () => Notifications;
  /** Connections that may read what is behind them from the database at the same time. */
  readonly lanes: number;
  /** Bytes of events of one ledger that are kept in memory. */
  readonly memoryBytes?: number;
  readonly onError: (error: unknown) => void;
  readonly onCount: (open: number) => void;
}

/** A place among the connections of an organisation. */
export interface Seat {
  release(): void;
}

/** What a connection is to be sent: everything behind a position that passes the filter. */
export interface Plan {
  readonly filter: StreamFilter;
  readonly start: Position;
  /** Where the ledger ended meanwhile. */
  readonly end: Position;
}

export interface Subscription extends Plan {
  readonly principal: Principal;
  readonly wire: Wire;
}

/** What is to be told of a connection. */
export interface Listening {
  /** It has answered that it is there. */
  answered(): void;
  ended(): void;
}

/** All connections to the stream of this process. */
export interface StreamHub {
  /**
   * @param most connections of an organisation, both modes together
   * @throws LedgerError `rate_limited` when it has as many, `unavailable` when the service stops
   */
  reserve(orgId: string, most: number): Seat;
  /**
   * Reads what a caller wants to be sent; it begins behind an event, or at the end as it is now.
   * @throws LedgerError `validation_error` for a type that there is not, or an id of another ledger
   */
  plan(scope: Scope, query: StreamQuery): Promise<Plan>;
  subscribe(subscription: Subscription): Listening;
  /** Ends all connections: they are told to come again. */
  close(): Promise<void>;
}

const POLL_MS = 1000;
const TEND_MS = 250;
/** How long connections may take to hear that the service stops. */
const FAREWELL_MS = 500;
const MEMORY_BYTES = 8 * 1024 * 1024;
/** What is read at a time for a connection that is behind. */
const BEHIND_BYTES = 256 * 1024;
const RETRY_SECONDS = '10';
const WENT_BACK = 'an older state of the ledger was restored: connect without `after`';

interface Member {
  readonly keyId: string;
  readonly subscriber: Subscriber;
  readonly wire: Wire;
}

interface Room {
  readonly feed: Feed;
  readonly members: Set<Member>;
}

export function streamHub(options: HubOptions): StreamHub {
  const seats = new Map<string, number>();
  const rooms = new Map<string, Room>();
  const lanes = openLanes(options.lanes);
  let pulse: Pulse | null = null;
  let isClosed = false;
  let open = 0;

  function count(change: number): void {
    open += change;
    options.onCount(open);
  }

  /** One that is opened begins at the end, however far behind whoever comes first may be. */
  function roomOf(scope: Scope, end: Position): Room {
    // Whoever comes after an older state was restored finds a room that knows that state alone.
    const leaveRoom = () => void rooms.delete(scope.ledgerId);
    const room = rooms.get(scope.ledgerId) ?? openRoom(options, scope, end, leaveRoom);
    rooms.set(scope.ledgerId, room);
    pulse ??= startPulse(options, rooms);
    return room;
  }

  return {
    reserve(orgId, most) {
      if (isClosed) throw unavailable('the service is shutting down');
      const taken = seats.get(orgId) ?? 0;
      if (taken >= most) throw tooMany(most);
      seats.set(orgId, taken + 1);
      return { release: once(() => leave(seats, orgId)) };
    },
    async plan(scope, query) {
      const filter = readFilter(query);
      return { filter, ...(await findSpan(options, scope, query.after)) };
    },
    subscribe(subscription) {
      const room = roomOf(subscription.principal.scope, subscription.end);
      const member = join(options, lanes, room, subscription);
      count(1);
      void member.subscriber.run();
      room.feed.wake();
      if (isClosed) sayGoodbye(member);
      const ended = once(() => {
        member.subscriber.end();
        room.members.delete(member);
        count(-1);
        if (room.members.size > 0 || isClosed) return;
        if (rooms.get(room.feed.scope.ledgerId) === room) rooms.delete(room.feed.scope.ledgerId);
        void room.feed.close();
      });
      return { ended, answered: () => member.subscriber.answered() };
    },
    async close() {
      isClosed = true;
      const members = [...rooms.values()].flatMap((room) => [...room.members]);
      for (const member of members) sayGoodbye(member);
      await Promise.all([...rooms.values()].map(({ feed }) => feed.close()));
      await pulse?.stop();
      if (members.length > 0) await new Promise((resolve) => setTimeout(resolve, FAREWELL_MS));
      for (const { wire } of members) wire.destroy();
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

function leave(seats: Map<string, number>, orgId: string): void {
  const left = (seats.get(orgId) ?? 0) - 1;
  if (left > 0) seats.set(orgId, left);
  else seats.delete(orgId);
}

function tooMany(most: number): LedgerError {
  return new LedgerError(
    'rate_limited',
    `the organisation has ${most} connections open here: close one, or raise stream.max_connections`,
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
}

function sayGoodbye({ subscriber }: Member): void {
  subscriber.close(CLOSE_CODES.goingAway, 'the service is stopping: connect again');
}

async function findSpan(
  { db, positions }: HubOptions,
  scope: Scope,
  after: string | undefined,
): Promise<Pick<Plan, 'start' | 'end'>> {
  const start = after === undefined ? undefined : positions.decode(scope, after);
  if (start === null) throw invalidField('after', 'must be the id of an event of this ledger');
  const heads = await selectHeads(db, scope);
  if (start !== undefined && !covers(heads, start)) {
    throw invalidField(
      'after',
      'is behind the end of the ledger, which was restored: leave it out',
    );
  }
  return { start: start ?? heads, end: heads };
}

function openRoom(options: HubOptions, scope: Scope, start: Position, leaveRoom: () => void): Room {
  const { db, clock, positions, memoryBytes = MEMORY_BYTES } = options;
  const members = new Set<Member>();
  const closeAll = (code: number, reason: string) => {
    for (const { subscriber } of members) subscriber.close(code, reason);
  };
  const onError = (error: unknown) => {
    options.onError(error);
    // What passes by itself is tried again; with what does not, nobody is left to wait in vain.
    if (error instanceof LedgerError && error.code === 'unavailable') return;
    closeAll(CLOSE_CODES.internalError, 'the ledger cannot be read');
  };
  const onWentBack = () => {
    leaveRoom();
    closeAll(CLOSE_CODES.wentBack, WENT_BACK);
  };
  const onNotification = () => {
    for (const { subscriber } of members) subscriber.wake();
  };
  const tools = { db, clock, positions, memoryBytes };
  const feed = openFeed(scope, start, { ...tools, onNotification, onError, onWentBack });
  return { feed, members };
}

function join(
  { db, clock, stopwatch, onError }: HubOptions,
  lanes: Lanes,
  { feed, members }: Room,
  { principal, filter, start, wire }: Subscription,
): Member {
  const readBehind = (from: Position, to: Position): Promise<Behind> =>
    lanes(async () => {
      const { items, end, hasMissed } = await readLogs(db, feed.scope, from, to);
      const frames: PlacedFrame[] = [];
      let bytes = 0;
      for (const { item, after } of items) {
        if (item.event === null || !passes(filter, item.event)) continue;
        const { sent } = feed.frames.event(item, after);
        if (sent === null) continue;
        frames.push({ frame: sent.frame, after });
        bytes += sent.frame.length;
        if (bytes >= BEHIND_BYTES) return { frames, end: after, hasMissed };
      }
      return { frames, end, hasMissed };
    });
  const time = { clock, stopwatch };
  const subscriber = new Subscriber({ feed, filter, start, wire, ...time, readBehind, onError });
  const member = { keyId: idToUuid('key', principal.actor) ?? '', subscriber, wire };
  members.add(member);
  return member;
}

interface Pulse {
  stop(): Promise<void>;
}

/** What happens from time to time, from the first connection on. */
function startPulse(options: HubOptions, rooms: ReadonlyMap<string, Room>): Pulse {
  const { notifications, onError } = options;
  const stopListening = notifications().listen((ledgerId) => rooms.get(ledgerId)?.feed.wake());
  const poll = async () => {
    for (const room of rooms.values()) await attend(options, room).catch(onError);
  };
  const tend = () => {
    for (const { members } of rooms.values()) {
      for (const { subscriber } of members) subscriber.tend();
    }
    return Promise.resolve();
  };
  const tickers: Ticker[] = [
    startTicker(POLL_MS, poll, onError),
    startTicker(TEND_MS, tend, onError),
  ];
  return {
    async stop() {
      stopListening();
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
}

/** Looks whether there is something new, whatever was told, and whether the keys are still good. */
async function attend({ db, clock }: HubOptions, { feed, members }: Room): Promise<void> {
  feed.wake();
  for (const { subscriber } of members) subscriber.wake();
  const keyIds = [...new Set([...members].map(({ keyId }) => keyId))];
  const usable = await usablePrincipals(db, clock, feed.scope, keyIds);
  for (const { keyId, subscriber } of members) {
    const isGood = !keyIds.includes(keyId) || usable.has(keyId);
    if (!isGood) subscriber.close(CLOSE_CODES.keyEnded, 'the key was revoked or has expired');
  }
}

import { type LedgerEvent, LedgerStream, StreamEndedError } from '@decision-ledger/client/stream';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { SERVICE } from './address.ts';
import { type Connection, useConnection, useMe } from './session/context.tsx';

/** `off`: the session lacks the permission, so the pages are as old as their last load. */
export type LiveState = 'connecting' | 'live' | 'lost' | 'off';

type Listener = (event: LedgerEvent) => void;

/** A busy ledger sends hundreds of events a second; figures are read again at most this often. */
const REFRESH_MS = 2000;

/** The live stream of a session. Events make the queries stale that they affect. */
class Live {
  #state: LiveState = 'connecting';
  readonly #connection: Connection;
  readonly #stateListeners = new Set<() => void>();
  readonly #listeners = new Set<Listener>();
  readonly #stale = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #stream: LedgerStream | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get state(): LiveState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  };

  /** @returns a function that ends the subscription */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param isAllowed whether the session may open the stream */
  start(isAllowed: boolean): () => void {
    if (!isAllowed) {
      this.#become('off');
      return () => undefined;
    }
    const controller = new AbortController();
    const { signal } = controller;
    // A browser without a network leaves its connections open.
    window.addEventListener('offline', () => this.#disconnect(), { signal });
    window.addEventListener('online', () => this.#connect(), { signal });
    this.#connect();
    return () => {
      controller.abort();
      this.#stop();
    };
  }

  /** Does nothing unless the stream was lost: it connects again by itself, but not at once. */
  readonly reconnect = (): void => {
    if (this.#state === 'lost') this.#connect();
  };

  #connect(): void {
    this.#stream?.close();
    const stream = new LedgerStream({
      url: SERVICE,
      after: this.#stream?.position,
      credential: () => this.#ticket(),
      onConnect: () => this.#reconnected(),
      onTrouble: () => this.#become('lost'),
    });
    this.#stream = stream;
    void this.#follow(stream);
  }

  #disconnect(): void {
    this.#stream?.close();
    this.#become('lost');
  }

  async #ticket(): Promise<{ ticket: string }> {
    const { ledger, onError } = this.#connection;
    try {
      const { ticket } = await ledger.operations.streamTicket();
      return { ticket };
    } catch (error) {
      if (error instanceof Error) onError(error);
      throw error;
    }
  }

  #stop(): void {
    this.#stream?.close();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #follow(stream: LedgerStream): Promise<void> {
    try {
      for await (const event of stream) this.#receive(event);
    } catch (error) {
      this.#become('lost');
      // The query finds out whether the session has ended, and what changed while it was lost.
      if (error instanceof StreamEndedError) await this.#connection.queries.invalidateQueries();
    }
  }

  #reconnected(): void {
    const wasLost = this.#state === 'lost';
    this.#become('live');
    if (wasLost) void this.#connection.queries.invalidateQueries();
  }

  #receive(event: LedgerEvent): void {
    for (const listener of this.#listeners) listener(event);
    for (const name of AFFECTED[event.type] ?? []) this.#stale.add(name);
    if (this.#stale.size > 0) this.#timer ??= setTimeout(() => this.#refresh(), REFRESH_MS);
  }

  #refresh(): void {
    this.#timer = null;
    const names = new Set(this.#stale);
    this.#stale.clear();
    void this.#connection.queries.invalidateQueries({
      predicate: ({ queryKey }) => names.has(String(queryKey[0])),
    });
  }

  #become(state: LiveState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener();
  }
}

/**
 * The queries that an event makes stale, by the first part of their key. `figures` are sums over the
 * ledger. Lists are not read again: a list in view would jump.
 */
const AFFECTED: Readonly<Record<string, readonly string[]>> = {
  'decision.recorded': ['figures'],
  'financial_event.recorded': ['figures', 'reviews', 'same-money'],
  'financial_event.deleted': ['figures', 'reviews', 'decision', 'event', 'same-money'],
  'movement.paired': ['figures', 'reviews', 'decision', 'event', 'same-money'],
  'movement.parted': ['figures', 'reviews', 'decision', 'event', 'same-money'],
  'link.created': ['figures', 'reviews', 'decision', 'event'],
  'link.suggested': ['figures', 'reviews', 'decision', 'event'],
  'link.inherited': ['figures', 'reviews', 'decision', 'event'],
  'link.confirmed': ['figures', 'reviews', 'decision', 'event'],
  'link.rejected': ['figures', 'reviews', 'decision', 'event'],
  'link.deleted': ['figures', 'reviews', 'decision', 'event'],
  'liability_estimate.updated': ['figures', 'decision'],
  'drift.detected': ['figures'],
  'exposure.exceeded': ['figures'],
  'budget.reached': ['budgets'],
  'chain.verified': ['verification'],
  'export.updated': ['exports'],
};

const LiveContext = createContext<Live | null>(null);

/** Opens the live stream of the session around it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const permissions = useMe()?.permissions;
  const [live] = useState(() => new Live(connection));
  const isAllowed = permissions?.includes('stream');
  useEffect(() => (isAllowed === undefined ? undefined : live.start(isAllowed)), [live, isAllowed]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function useLiveStream(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('this component needs the live stream around it');
  return live;
}

export function useLiveState(): LiveState {
  const live = useLiveStream();
  return useSyncExternalStore(live.subscribe, () => live.state);
}

/** Connects again at once to a stream that was lost. */
export function useReconnect(): () => void {
  return useLiveStream().reconnect;
}

/** Calls back for each event of the stream while the component is shown. */
export function useLive(onEvent: (event: LedgerEvent) => void): void {
  const live = useLiveStream();
  const listener = useEffectEvent(onEvent);
  useEffect(() => live.listen((event) => listener(event)), [live]);
}

import { Ledger, LedgerApiError, LedgerConnectionError } from '@decision-ledger/client';
import type { Me } from '@decision-ledger/client/api/access';
import {
  MutationCache,
  QueryCache,
  QueryClient,
  QueryClientProvider,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { SERVICE } from '../address.ts';
import { now } from '../clock.ts';
import type { EndReason, SessionStore, StoredSession } from './store.ts';

export type Permission = Me['permissions'][number];

const ConnectionContext = createContext<Connection | null>(null);

export function useConnection(): Connection {
  const connection = use(ConnectionContext);
  if (connection === null) throw new Error('this component needs a session around it');
  return connection;
}

/** The client of the session in view. Every call to the service goes through it. */
export function useLedger(): Ledger {
  return useConnection().ledger;
}

export function useSession(): StoredSession {
  return useConnection().session;
}

function meOptions(ledger: Ledger) {
  return queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => ledger.operations.me({ signal }),
    staleTime: 60_000,
  });
}

/** The same with its failure, for those who wait for it. */
export function useMeQuery() {
  return useQuery(meOptions(useLedger()));
}

/** Who is signed in, and what they may do; undefined until it is known. */
export function useMe(): Me | undefined {
  return useQuery(meOptions(useLedger())).data;
}

/** Whether the person has this permission. False until it is known. */
export function useCan(permission: Permission): boolean {
  return useMe()?.permissions.includes(permission) ?? false;
}

/** Gives the pages the connection of the session in view, and ends that session when its time is over. */
export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  const session = useSyncExternalStore(store.subscribe, () => store.current);
  const connection = useMemo(
    () =>
      session === undefined
        ? null
        : connect(session, () => store.end(session, reasonAt(session.expiresAt))),
    [session, store],
  );
  useEffect(() => {
    if (session === undefined) return undefined;
    const left = Math.max(0, Date.parse(session.expiresAt) - now());
    const timer = setTimeout(() => store.end(session, 'expired'), left);
    return () => clearTimeout(timer);
  }, [session, store]);
  useEffect(() => () => connection?.queries.clear(), [connection]);
  if (connection === null) return null;
  return (
    <ConnectionContext value={connection}>
      <QueryClientProvider client={connection.queries} key={connection.session.sessionId}>
        {children}
      </QueryClientProvider>
    </ConnectionContext>
  );
}

function reasonAt(expiresAt: string): EndReason {
  return Date.parse(expiresAt) <= now() ? 'expired' : 'revoked';
}

/** What the pages of one session share. Another session has another: no answer passes between them. */
export interface Connection {
  readonly session: StoredSession;
  readonly ledger: Ledger;
  readonly queries: QueryClient;
  /** Whether the service answers. */
  readonly reach: Reach;
  /** Ends the session if this error says that the service no longer accepts its token. */
  onError(error: Error): void;
}

/** @param onRefused called when the service no longer accepts the token */
function connect(session: StoredSession, onRefused: () => void): Connection {
  const reach = new Reach();
  const onError = (error: Error) => {
    reach.failed(error);
    if (error instanceof LedgerApiError && error.code === 'unauthorized') onRefused();
  };
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: () => reach.answered() }),
    mutationCache: new MutationCache({ onError, onSuccess: () => reach.answered() }),
    // The client library repeats what may be repeated. Without a network, requests fail at once instead of waiting.
    defaultOptions: {
      queries: { retry: false, staleTime: 15_000, gcTime: 60_000, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return { session, queries, reach, onError, ledger: ledgerFor(session.token) };
}

/** The client of the service that serves this page. */
export function ledgerFor(credential: string): Ledger {
  return new Ledger({ url: SERVICE, key: credential });
}

/** Whether the service answers, as far as is known. */
interface ReachState {
  readonly isAway: boolean;
  /** ms since the epoch: when it answered last; null before the first answer. */
  readonly answeredAt: number | null;
}

/** Whether a request failed because the service, or something on the way to it, is away. */
function isOutOfReach(error: unknown): boolean {
  if (error instanceof LedgerConnectionError) return true;
  // A proxy answers in place of a service that is away.
  return error instanceof LedgerApiError && error.code === 'unknown' && error.status >= 500;
}

/** Watches the outcomes of the requests of a session. */
class Reach {
  #state: ReachState = { isAway: false, answeredAt: null };
  readonly #listeners = new Set<() => void>();

  get state(): ReachState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  answered(): void {
    const wasAway = this.#state.isAway;
    this.#state = { isAway: false, answeredAt: now() };
    // The time alone is read when it is needed: nothing is drawn again for each answer.
    if (wasAway) this.#tell();
  }

  failed(error: unknown): void {
    if (!isOutOfReach(error) || this.#state.isAway) return;
    this.#state = { ...this.#state, isAway: true };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

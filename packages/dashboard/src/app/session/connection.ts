import { Ledger, LedgerApiError, LedgerConnectionError } from '@decision-ledger/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { SERVICE } from '../address.ts';
import { now } from '../clock.ts';
import type { StoredSession } from './store.ts';

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
export function connect(session: StoredSession, onRefused: () => void): Connection {
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

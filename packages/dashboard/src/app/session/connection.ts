import { Ledger, LedgerApiError } from '@decision-ledger/client';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { SERVICE } from '../address.ts';
import { Reach } from './reach.ts';
import type { StoredSession } from './state.ts';

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

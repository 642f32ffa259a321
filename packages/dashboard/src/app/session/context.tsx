import type { Ledger } from '@decision-ledger/client';
import type { Me } from '@decision-ledger/client/api/me';
import { QueryClientProvider, queryOptions, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { now } from '../clock.ts';
import { type Connection, connect } from './connection.ts';
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

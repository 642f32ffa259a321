import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useSyncExternalStore } from 'react';
import { now } from '../clock.ts';
import { connect } from './connection.ts';
import { ConnectionContext } from './context.ts';
import type { EndReason } from './state.ts';
import type { SessionStore } from './store.ts';

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

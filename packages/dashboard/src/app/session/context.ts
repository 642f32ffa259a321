import type { Ledger } from '@decision-ledger/client';
import type { Me } from '@decision-ledger/client/api/me';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Connection } from './connection.ts';
import type { StoredSession } from './state.ts';

export type Permission = Me['permissions'][number];

export const ConnectionContext = createContext<Connection | null>(null);

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

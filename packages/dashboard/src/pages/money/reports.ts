import type { RelatedEvent } from '@decision-ledger/client/api/financial-event';
import { useQueries } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';

interface Reports {
  /** In the order of the ids. Undefined until it is read. */
  readonly events: readonly (RelatedEvent | undefined)[];
  readonly error: Error | null;
}

/** Events by id. */
export function useReports(ids: readonly string[]): Reports {
  const ledger = useLedger();
  const queries = [...new Set(ids)].map((id) => ({
    queryKey: ['event', id],
    queryFn: ({ signal }: { signal: AbortSignal }) => ledger.events.get(id, { signal }),
  }));
  const found = useQueries({ queries });
  return {
    events: ids.map((id) => found.find(({ data }) => data?.id === id)?.data),
    error: found.find(({ error }) => error !== null)?.error ?? null,
  };
}

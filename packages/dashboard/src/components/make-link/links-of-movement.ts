import type { FinancialEvent, Movement } from '@decision-ledger/client/api/financial-event';
import type { Link } from '@decision-ledger/client/api/link';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';

type EventOfMovement = Pick<FinancialEvent, 'id'> & {
  readonly movement: Pick<Movement, 'reports'>;
};

/** The active links of all events that report the same money, which share its amount. */
export function useLinksOfMovement(event: EventOfMovement | undefined) {
  return useLinksOf(event?.movement.reports);
}

/** The active links of some events. */
export function useLinksOf(events: readonly string[] | undefined) {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['event', 'links', events],
    queryFn: async ({ signal }): Promise<Link[]> => {
      const pages = await Promise.all(
        (events ?? []).map((id) =>
          ledger.links.list({ financial_event_id: id }, { signal }).page(),
        ),
      );
      return pages.flatMap((page) => page.links);
    },
    enabled: events !== undefined,
  });
}

/** Reads again what follows from links. */
export async function refreshLinks(queries: QueryClient): Promise<void> {
  const stale = ['figures', 'reviews', 'decision', 'event'];
  await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

import type { Ledger } from '@decision-ledger/client';
import { queryOptions } from '@tanstack/react-query';

/** The settings with their tag: a change that was made for other settings is refused. */
export function settingsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ledger.settings.getTagged({ signal }),
  });
}

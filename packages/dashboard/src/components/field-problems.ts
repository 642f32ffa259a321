import { LedgerApiError } from '@decision-ledger/client';

/** What the service says of each field that it did not accept, by its path. */
export function fieldProblems(error: Error | null): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof LedgerApiError)) return {};
  const fields = Object.entries(error.details.fields ?? {});
  return Object.fromEntries(fields.map(([path, problems]) => [path, problems.join(', ')]));
}

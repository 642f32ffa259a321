import { LedgerConnectionError } from '@decision-ledger/client';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorPanel } from './error-panel.tsx';

/** Takes the place of a page that failed; the rest of the frame stays usable. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  // A module that could not be loaded is asked for again only by a new document.
  const isModule = error instanceof LedgerConnectionError;
  return <ErrorPanel error={error} onRetry={isModule ? () => window.location.reload() : reset} />;
}

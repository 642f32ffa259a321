import type { ErrorComponentProps } from '@tanstack/react-router';
import { ErrorPanel } from './error-panel.tsx';

/** Takes the place of a page that failed; the rest of the frame stays usable. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  return <ErrorPanel error={error} onRetry={reset} />;
}

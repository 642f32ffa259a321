import { LedgerConnectionError } from '@decision-ledger/client';
import { Anchor, Group, Skeleton, Text, Title } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ErrorPanel, LinesSkeleton } from '../components/load-states.tsx';
import { SERVICE } from './address.ts';
import classes from './page-fallbacks.module.css';

export function NotFoundPage() {
  return (
    <main className={classes.page}>
      <title>Not found · Decision Ledger</title>
      <Text fw={600} mb="xl">
        Decision Ledger
      </Text>
      <Title order={1} mb="xs">
        Page not found
      </Title>
      <Text c="dimmed" mb="md">
        The address is mistyped, or the page has moved.
      </Text>
      <Group gap="lg">
        <Anchor component={Link} to="/">
          Go to the home page
        </Anchor>
        <Anchor href={`${SERVICE}/docs/`}>Open the documentation</Anchor>
      </Group>
    </main>
  );
}

/** Takes the place of a page while its code or its data are loaded. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={30} width={220} mb={24} />
      <LinesSkeleton />
    </div>
  );
}

/** Takes the place of a page that failed; the rest of the frame stays usable. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  // A module that could not be loaded is asked for again only by a new document.
  const isModule = error instanceof LedgerConnectionError;
  return <ErrorPanel error={error} onRetry={isModule ? () => window.location.reload() : reset} />;
}

/**
 * The module of a page. The router reloads the document if a module is gone, which is right after an update of the
 * service; without a network, a reload would lose the page that is in view.
 * @throws LedgerConnectionError if the service cannot be reached
 */
export async function loaded<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await module;
  } catch (error) {
    if (await isReachable()) throw error;
    throw new LedgerConnectionError('the page cannot be loaded while the service is away');
  }
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/version', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

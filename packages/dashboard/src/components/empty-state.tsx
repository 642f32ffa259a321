import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SERVICE } from '../app/address.ts';
import { useMe, useSession } from '../app/session/context.ts';
import { Command } from './command.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The request that would fill the page. */
  readonly request?: CurlRequest;
}

/** A request as a line of curl. */
export interface CurlRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below the address of the service, such as `/api/v1/decisions`. */
  readonly path: string;
  readonly body?: object;
}

/** In place of an empty list: what belongs here, and how to add it. */
export function EmptyState({ title, children, request }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={560}>
        {children}
      </Text>
      {request !== undefined && <Curl {...request} />}
    </div>
  );
}

function Curl({ method, path, body }: CurlRequest) {
  const { mode } = useSession();
  const name = useMe()?.key.name;
  const line = [
    `curl -X ${method} ${SERVICE}${path}`,
    `-H "X-Ledger-Key: $LEDGER_KEY"`,
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body))}'`]),
  ].join(' \\\n  ');
  return (
    <div className={classes.curl}>
      <Command text={line} label="the request" />
      <Text size="xs" c="dimmed">
        $LEDGER_KEY is your {mode} key{name === undefined ? '' : ` “${name}”`}. The dashboard does
        not keep it.
      </Text>
    </div>
  );
}

/** Within single quotes of a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}

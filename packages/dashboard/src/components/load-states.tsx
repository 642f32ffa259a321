import { type ErrorCode, LedgerApiError, LedgerConnectionError } from '@decision-ledger/client';
import { Alert, Button, Code, Skeleton, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { SERVICE } from '../app/address.ts';
import { useMe, useSession } from '../app/session/context.tsx';
import { Icon } from './icon.tsx';
import classes from './load-states.module.css';
import { Command } from './values.tsx';

const LINES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Takes the place of a part of a page, of about its height. */
export function LinesSkeleton({ lines = LINES.length }: { lines?: number }) {
  return (
    <div aria-busy="true">
      {LINES.slice(0, lines).map((line) => (
        <Skeleton key={line} height={18} mb={14} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  readonly children: ReactNode;
  /** The request that would fill the page. */
  readonly request?: CurlRequest;
}

/** A request as a line of curl. */
interface CurlRequest {
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

interface ErrorPanelProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, and what to do about it. */
export function ErrorPanel({ error, onRetry }: ErrorPanelProps) {
  const { title, remedy } = describeError(error);
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert">
      <Text size="sm">{remedy}</Text>
      {error instanceof LedgerApiError && (
        <Text size="xs" c="dimmed" mt={6}>
          {error.message}
          {error.requestId !== null && (
            <span className={classes.request}>
              Request <Code>{error.requestId}</Code>
            </span>
          )}
        </Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

interface Description {
  readonly title: string;
  readonly remedy: string;
}

function describeError(error: unknown): Description {
  if (error instanceof LedgerApiError) {
    const description = OF_CODES[error.code];
    return error.code === 'rate_limited' ? withTime(description, error) : description;
  }
  if (error instanceof LedgerConnectionError) return UNREACHABLE;
  return UNEXPECTED;
}

function withTime(description: Description, { retryAfterMs }: LedgerApiError): Description {
  if (retryAfterMs === null) return description;
  const seconds = Math.ceil(retryAfterMs / 1000);
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return { ...description, remedy: `Try again in ${wait}.` };
}

const UNREACHABLE = {
  title: 'The service cannot be reached',
  remedy: 'Check the network connection, then try again. Nothing was changed.',
};

const UNEXPECTED = {
  title: 'Something went wrong on this page',
  remedy:
    'Reload the page. If that does not help, send the details to the operator of the service.',
};

const INVALID = {
  title: 'The service did not accept the input',
  remedy: 'Correct what the message names, and try again.',
};

const STATE = {
  title: 'The record has changed',
  remedy: 'Reload the page to see its current state, and try again.',
};

const FAULT = {
  title: 'Something went wrong in the service',
  remedy: 'Try again. If it happens again, give the request id to the operator of the service.',
};

const OF_CODES: Readonly<Record<ErrorCode | 'unknown', Description>> = {
  malformed_request: INVALID,
  validation_error: INVALID,
  too_late: INVALID,
  unsupported_media_type: INVALID,
  expectation_failed: INVALID,
  method_not_allowed: FAULT,
  unauthorized: {
    title: 'The session has ended',
    remedy: 'Sign in again with a key.',
  },
  forbidden: {
    title: 'Permission required',
    remedy: 'Sign in with a key that has the permission that the message names.',
  },
  not_found: {
    title: 'Record not found',
    remedy: 'Check the address, and the mode: live and test data are kept apart.',
  },
  request_timeout: UNREACHABLE,
  conflict: STATE,
  idempotency_conflict: STATE,
  invalid_state: STATE,
  export_not_ready: {
    title: 'The export is not ready',
    remedy: 'Wait until it is complete, and download it then.',
  },
  gone: {
    title: 'The record is no longer available',
    remedy: 'Create it again if you still need it.',
  },
  precondition_failed: {
    title: 'Someone else changed the settings',
    remedy: 'Nothing was saved. Load the newer settings, check them, and save again.',
  },
  payload_too_large: {
    title: 'The input is too large',
    remedy: 'Shorten it, and try again.',
  },
  rate_limited: {
    title: 'Too many requests',
    remedy: 'Wait a moment, and try again.',
  },
  internal_error: FAULT,
  unavailable: {
    title: 'The service is busy or stopping',
    remedy: 'Try again in a moment.',
  },
  unknown: {
    title: 'The answer did not come from the service',
    remedy: 'Check the proxy between this browser and the service.',
  },
};

/** What the service says of each field that it did not accept, by its path. */
export function fieldProblems(error: Error | null): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof LedgerApiError)) return {};
  const fields = Object.entries(error.details.fields ?? {});
  return Object.fromEntries(fields.map(([path, problems]) => [path, problems.join(', ')]));
}

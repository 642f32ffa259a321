import { engineClientConfig } from '@decision-ledger/embedded/connection';
import type { ClientConfig } from 'pg';

/** The address of the database, in a form that can be passed to another thread. */
export type DatabaseAddress =
  | { readonly kind: 'embedded'; readonly socketPath: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly ownerUrl: string;
      /** Public names of this process's master keys, which its connections announce. */
      readonly keyIds: readonly string[];
    };

/** Driver options for a connection as the service's role. */
export function serviceClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'ledger_app')
    : {
        connectionString: address.url,
        application_name: ['decision-ledger', ...address.keyIds].join(' '),
      };
}

/** Driver options for a connection as the owner of the schema. */
export function ownerClient(address: DatabaseAddress): ClientConfig {
  return address.kind === 'embedded'
    ? engineClientConfig(address.socketPath, 'postgres')
    : { connectionString: address.ownerUrl, application_name: 'decision-ledger migrate' };
}

/**
 * Sent on every new connection, so that neither durability nor what is read depends on the defaults of the server, the
 * database or the login.
 */
export const SESSION = [
  ...['timezone = utc', 'datestyle = iso', 'intervalstyle = postgres', 'bytea_output = hex'],
  ...['extra_float_digits = 1', 'synchronous_commit = on'],
  ...["default_transaction_isolation = 'read committed'", 'default_transaction_read_only = off'],
  'default_transaction_deferrable = off',
]
  .map((setting) => `set ${setting}`)
  .join('; ');

/** How long to wait for a database that is busy, starting or away. */
export interface Patience {
  /** For a connection, in ms; 0 waits as long as it takes. */
  readonly connectMs: number;
  /** At the start, for a server that is away or recovering, in ms. */
  readonly awayMs: number;
  /** How often `onWait` is called, in ms. */
  readonly noticeMs: number;
  /** Called while a connection is awaited, with the ms since then, and why if that is known. */
  readonly onWait: (waitedMs: number, reason?: string) => void;
}

/** That of a service, whose callers wait: they are answered 503 and try again. */
export const QUICK: Patience = {
  ...{ connectMs: 5000, awayMs: 0, noticeMs: 5000 },
  onWait: () => undefined,
};

/** Reports while work waits for a connection. */
export async function reportingWait<Result>(
  { noticeMs, onWait }: Patience,
  connect: () => Promise<Result>,
): Promise<Result> {
  let waited = 0;
  const notice = setInterval(() => {
    waited += noticeMs;
    onWait(waited);
  }, noticeMs);
  try {
    return await connect();
  } finally {
    clearInterval(notice);
  }
}

import pg from 'pg';
import { type Login, sessionSql } from './connection.js';

/**
 * Notifies listeners that a ledger has new data, or a job queue a new job. Listeners also poll, so a lost
 * notification only delays them.
 */
export interface Notifications {
  /** @param topic the UUID of a ledger, or the name of a job queue */
  notify(topic: string): void;
  /** @returns a function that stops listening */
  listen(listener: (topic: string) => void): () => void;
  close(): Promise<void>;
}

/** Notifications within one process. */
export function localNotifications(): Notifications {
  const listeners = new Set<(topic: string) => void>();
  return {
    notify(topic) {
      for (const listener of listeners) listener(topic);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };
}

export interface PostgresNotificationsOptions {
  readonly login: Login;
  /** The channel of all processes of an installation; others of the database have their own. */
  readonly channel: string;
  /** Called when the connection was lost; it is reopened. */
  readonly onError: (error: Error) => void;
}

/** NOTIFY serialises the commits that use it, so notifications are sent in batches. */
const BATCH_MS = 20;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
const TOPIC = /^[a-z0-9-]{1,64}$/;

/**
 * Notifications among all processes of an installation, by NOTIFY on a dedicated connection instead of
 * the writing transaction. The connection is opened on first use.
 */
export function postgresNotifications({
  onError,
  ...place
}: PostgresNotificationsOptions): Notifications {
  const local = localNotifications();
  const line = notificationLine(place, local.notify, onError);
  const pending = new Set<string>();
  let isSending = false;
  let isClosed = false;

  async function send(): Promise<void> {
    isSending = true;
    while (pending.size > 0 && !isClosed) {
      const topics = [...pending];
      pending.clear();
      await line.notify(topics).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, BATCH_MS));
    }
    isSending = false;
  }

  return {
    notify(topic) {
      local.notify(topic);
      pending.add(topic);
      if (!isSending && !isClosed) void send();
    },
    listen(listener) {
      line.listen();
      return local.listen(listener);
    },
    async close() {
      isClosed = true;
      await line.close();
    },
  };
}

interface NotificationLine {
  notify(topics: readonly string[]): Promise<void>;
  /** Listens now and after each reconnection. */
  listen(): void;
  close(): Promise<void>;
}

function notificationLine(
  { login, channel }: Omit<PostgresNotificationsOptions, 'onError'>,
  onPayload: (topic: string) => void,
  onError: (error: Error) => void,
): NotificationLine {
  const listen = `listen ${pg.escapeIdentifier(channel)}`;
  let connection: Promise<pg.Client> | null = null;
  let isListening = false;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;

  function connect(): Promise<pg.Client> {
    if (connection !== null) return connection;
    const fresh = openClient(login, onPayload, (error) => {
      if (connection === fresh) lose(error);
    });
    connection = fresh;
    fresh.then(
      (client) => {
        retryMs = FIRST_RETRY_MS;
        if (isListening) client.query(listen).catch(() => undefined);
      },
      (error: unknown) => {
        if (connection === fresh) lose(error instanceof Error ? error : new Error(String(error)));
      },
    );
    return fresh;
  }

  function lose(error: Error): void {
    connection?.then((client) => client.end()).catch(() => undefined);
    connection = null;
    if (isClosed) return;
    onError(error);
    clearTimeout(retry);
    retry = setTimeout(() => {
      retry = undefined;
      if (isListening) connect().catch(() => undefined);
    }, retryMs);
    retry.unref();
    retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
  }

  return {
    async notify(topics) {
      // During a reconnection listeners rely on polling; the server is not asked at each commit.
      if (retry !== undefined) return;
      const client = await connect();
      const text = 'select pg_notify($1, topic) from unnest($2::text[]) as topic';
      await client.query(text, [channel, topics]);
    },
    listen() {
      if (isListening || isClosed) return;
      isListening = true;
      if (connection === null) connect().catch(() => undefined);
      else connection.then((client) => client.query(listen)).catch(() => undefined);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const client = await connection?.catch(() => null);
      await client?.end().catch(() => undefined);
    },
  };
}

/** @param onLost called when an open client is closed */
async function openClient(
  login: Login,
  onPayload: (topic: string) => void,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...login.client,
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  });
  client.on('error', onLost);
  client.on('end', () => onLost(new Error('the connection for notifications has ended')));
  try {
    await client.connect();
    // Notifications need not survive a crash.
    await client.query(sessionSql(login, ['synchronous_commit = off']));
    const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    client.on('notification', ({ payload = '', processId }) => {
      // Local listeners were already notified.
      if (processId !== own.rows[0]?.pid && TOPIC.test(payload)) onPayload(payload);
    });
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

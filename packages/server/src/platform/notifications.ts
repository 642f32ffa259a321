import pg from 'pg';

/**
 * Tells that a ledger has something new to read. Nothing is lost with a notification: who listens
 * looks from time to time anyway, and is only earlier for being told.
 */
export interface Notifications {
  /** @param ledgerId UUID */
  notify(ledgerId: string): void;
  /** @returns what ends the listening */
  listen(listener: (ledgerId: string) => void): () => void;
  close(): Promise<void>;
}

/** Notifications within one process. */
export function localNotifications(): Notifications {
  const listeners = new Set<(ledgerId: string) => void>();
  return {
    notify(ledgerId) {
      for (const listener of listeners) listener(ledgerId);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };
}

export interface PostgresNotificationsOptions {
  readonly client: pg.ClientConfig;
  /** The connection broke; another one is opened. */
  readonly onError: (error: Error) => void;
}

const NAME = 'decision-ledger news';
const CHANNEL = 'ledger_news';
const LISTEN = `listen ${CHANNEL}`;
/** NOTIFY makes commits of those who notify wait for one another: the pieces are sent together. */
const TOGETHER_MS = 20;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The same among all processes on one PostgreSQL, by NOTIFY on a connection of its own, never in the
 * transaction that made it. It is opened by the first who tells or listens.
 */
export function postgresNotifications({
  client: config,
  onError,
}: PostgresNotificationsOptions): Notifications {
  const local = localNotifications();
  const line = notificationLine(config, local.notify, onError);
  const pending = new Set<string>();
  let isSending = false;
  let isClosed = false;

  async function send(): Promise<void> {
    isSending = true;
    while (pending.size > 0 && !isClosed) {
      const ledgers = [...pending];
      pending.clear();
      await line.notify(ledgers).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS));
    }
    isSending = false;
  }

  return {
    notify(ledgerId) {
      local.notify(ledgerId);
      pending.add(ledgerId);
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
  notify(ledgers: readonly string[]): Promise<void>;
  /** From now on, and again after each loss of the connection. */
  listen(): void;
  close(): Promise<void>;
}

function notificationLine(
  config: pg.ClientConfig,
  onPayload: (ledgerId: string) => void,
  onError: (error: Error) => void,
): NotificationLine {
  let connection: Promise<pg.Client> | null = null;
  let isListening = false;
  let isClosed = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;

  function connect(): Promise<pg.Client> {
    if (connection !== null) return connection;
    const fresh = openClient(config, onPayload, (error) => {
      if (connection === fresh) lose(error);
    });
    connection = fresh;
    fresh.then(
      (client) => {
        retryMs = FIRST_RETRY_MS;
        if (isListening) client.query(LISTEN).catch(() => undefined);
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
    async notify(ledgers) {
      // Whoever is not told looks by itself: a server that is full is not asked at each commit.
      if (retry !== undefined) return;
      const client = await connect();
      const text = 'select pg_notify($1, ledger) from unnest($2::text[]) as ledger';
      await client.query(text, [CHANNEL, ledgers]);
    },
    listen() {
      if (isListening || isClosed) return;
      isListening = true;
      if (connection === null) connect().catch(() => undefined);
      else connection.then((client) => client.query(LISTEN)).catch(() => undefined);
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const client = await connection?.catch(() => null);
      await client?.end().catch(() => undefined);
    },
  };
}

/** @param onLost is told once the client has been opened and has come to an end */
async function openClient(
  config: pg.ClientConfig,
  onPayload: (ledgerId: string) => void,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({
    ...config,
    ...{ application_name: NAME, keepAlive: true, connectionTimeoutMillis: 5000 },
  });
  client.on('error', onLost);
  client.on('end', () => onLost(new Error('the connection for notifications has ended')));
  try {
    await client.connect();
    // Nothing that is sent here needs to outlive a crash.
    await client.query('set synchronous_commit = off; set role ledger_app');
    const own = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    client.on('notification', ({ payload = '', processId }) => {
      // What this process told, it was told at once.
      if (processId !== own.rows[0]?.pid && UUID.test(payload)) onPayload(payload);
    });
    return client;
  } catch (error) {
    client.end().catch(() => undefined);
    throw error;
  }
}

import { createServer } from 'node:http';
import { Alert } from '@decision-ledger/contract/alert';
import { Webhook } from 'standardwebhooks';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import { watchLedgers } from '#server/domains/delivery/alerts/index';
import { systemClock } from '#server/platform/clock';
import { databaseAt } from './own-database.js';
import type { Instance } from './service.js';
import { ALERT_SECRET } from './settings-samples.js';

export interface ReceivedAlert {
  readonly path: string;
  /** The header `webhook-id`. */
  readonly id: string;
  readonly alert: Alert;
}

export interface AlertReceiver {
  /** Without a path. */
  readonly url: string;
  readonly received: ReceivedAlert[];
  /** The status of its answers; null breaks the connection. */
  status: number | null;
  close(): Promise<void>;
}

/** A server that takes alerts which are signed with ALERT_SECRET, and no others. */
export async function openAlertReceiver(): Promise<AlertReceiver> {
  const received: ReceivedAlert[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const headers = Object.fromEntries(
        names.map((name) => [name, String(request.headers[name])]),
      );
      // Throws if the signature is wrong, so the test fails for a missing alert.
      const body = new Webhook(ALERT_SECRET).verify(Buffer.concat(chunks).toString(), headers);
      const [path, id] = [request.url ?? '', headers['webhook-id'] ?? ''];
      received.push({ path, id, alert: Parse(Alert, body) });
      if (receiver.status === null) request.socket.destroy();
      else response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  const receiver: AlertReceiver = {
    url: `http://127.0.0.1:${address.port}`,
    received,
    status: 204,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
  return receiver;
}

/** Checks all ledgers and sends their alerts, as a process does every 15 seconds. */
export function watch(
  { service }: Instance,
  onUndelivered: (error: unknown) => void = (error) => expect.unreachable(String(error)),
): Promise<void> {
  return watchLedgers({ ...service, db: databaseAt(service.db, systemClock), onUndelivered });
}

import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Alert } from '@decision-ledger/contract/alert';
import { Webhook } from 'standardwebhooks';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliverAlert } from '#server/domains/delivery/alerts/deliver';
import { readAllowedAddresses } from '#server/platform/allowed-addresses';
import { createOutbound } from '#server/platform/outbound';
import { ALERT_SECRET } from '../../support/settings-samples.js';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let status = 204;
let received: Received[] = [];
let url = '';
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, headers } = request;
    received.push({ method, url: request.url, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  url = `http://127.0.0.1:${address.port}/alerts?room=secret`;
});
beforeEach(() => {
  status = 204;
  received = [];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const payload: Alert = {
  type: 'jobs.backlog',
  mode: 'live',
  ledger: 'led_01h455vb4pex5vsknk084sn02q',
  time: '2026-04-16T09:30:00.000Z',
  data: { oldest_waiting_seconds: 312, threshold_seconds: 300 },
};
const now = () => Math.floor(performance.timeOrigin + performance.now());
const deliver = (allowed = 'true') =>
  deliverAlert(
    createOutbound(readAllowedAddresses(allowed)),
    { url, secret: ALERT_SECRET },
    { id: 'msg_1', timestamp: now(), payload },
  );

const signed = ({ headers }: Received) =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(headers[name]),
    ]),
  );

describe('Alert delivery', () => {
  it('An alert arrives as JSON with a valid Standard Webhooks signature', async () => {
    await deliver();
    const [alert] = received;
    if (alert === undefined) throw new Error('nothing arrived');
    expect(alert).toMatchObject({ method: 'POST', url: '/alerts?room=secret' });
    expect(alert.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    const verified = new Webhook(ALERT_SECRET).verify(alert.body, signed(alert));
    expect(Parse(Alert, verified)).toEqual(payload);
  });

  it('The signature is invalid for another body, id or secret', async () => {
    await deliver();
    const [alert] = received;
    if (alert === undefined) throw new Error('nothing arrived');
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const verify = (secret: string, body: string, more = {}) =>
      new Webhook(secret).verify(body, { ...signed(alert), ...more });
    expect(() => verify(ALERT_SECRET, alert.body)).not.toThrow();
    expect(() => verify(other, alert.body)).toThrow(/signature/);
    expect(() => verify(ALERT_SECRET, alert.body.replace('312', '313'))).toThrow(/signature/);
    expect(() => verify(ALERT_SECRET, alert.body, { 'webhook-id': 'msg_2' })).toThrow(/signature/);
  });

  it.for([200, 201, 202, 204, 299])(
    'An alert answered with %i counts as delivered',
    async (answer) => {
      status = answer;
      await deliver();
      expect(received).toHaveLength(1);
    },
  );

  it.for([301, 307, 400, 404, 410, 429, 500, 503])(
    'An alert answered with %i is not delivered, and the error names only the host and the status',
    async (answer) => {
      status = answer;
      const error = await deliver().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'AlertRefusedError' });
      expect(error).toMatchObject({
        message: expect.stringMatching(
          new RegExp(
            `^the alert was not accepted: 127\\.0\\.0\\.1:\\d+ answered with status ${answer}`,
          ),
        ),
      });
      expect(String(error)).not.toContain('secret');
      expect(received).toHaveLength(1);
    },
  );

  it('An alert is not sent to a private address that is not allowed', async () => {
    await expect(deliver('false')).rejects.toThrow(/is in a private network/);
    expect(received).toEqual([]);
  });
});

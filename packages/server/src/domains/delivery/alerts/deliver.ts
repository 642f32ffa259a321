import type { Alert } from '@decision-ledger/contract/alert';
import { Webhook } from 'standardwebhooks';
import type { Outbound } from '../../../platform/outbound.js';

export interface AlertTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

export interface AlertMessage {
  /** The same for every attempt to deliver this alert: receivers know a repetition by it. */
  readonly id: string;
  /** When this attempt is made, in ms: receivers refuse what is too old. */
  readonly timestamp: number;
  readonly payload: Alert;
}

/** An alert was answered, but not taken; the message says by whom and how. */
class AlertRefusedError extends Error {
  override readonly name = 'AlertRefusedError';
}

/**
 * Posts an alert, signed by Standard Webhooks, and resolves when it was taken (a status of 2xx).
 * @throws AlertRefusedError, or OutboundError when there was no answer
 */
export async function deliverAlert(
  outbound: Outbound,
  { url, secret }: AlertTarget,
  { id, timestamp, payload }: AlertMessage,
): Promise<void> {
  const body = JSON.stringify(payload);
  const { status } = await outbound({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'decision-ledger',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(timestamp / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(timestamp), body),
    },
    body,
  });
  if (status >= 200 && status <= 299) return;
  const hint = status >= 300 && status <= 399 ? ' (redirects are not followed)' : '';
  throw new AlertRefusedError(
    `the alert was not taken: ${new URL(url).host} answered with status ${status}${hint}; set ` +
      'alerts.url to an address that answers 2xx',
  );
}

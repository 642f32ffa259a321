import type { Alert } from '@decision-ledger/contract/alert';
import { Webhook } from 'standardwebhooks';
import type { Outbound } from '../../../platform/outbound.js';

export interface AlertTarget {
  readonly url: string;
  /** `whsec_` and base64. */
  readonly secret: string;
}

export interface AlertMessage {
  /** The same for each attempt to deliver this alert, so that receivers recognise a repeat. */
  readonly id: string;
  /** Time of this attempt, ms: receivers refuse old messages. */
  readonly timestamp: number;
  readonly payload: Alert;
}

/** The receiver did not answer with 2xx; the message names its host and the status. */
class AlertRefusedError extends Error {
  override readonly name = 'AlertRefusedError';
}

/**
 * Posts an alert, signed as Standard Webhooks specifies. Resolves when the receiver answers with 2xx.
 * @throws AlertRefusedError, or OutboundError if there was no answer
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
    `the alert was not accepted: ${new URL(url).host} answered with status ${status}${hint}; set ` +
      'alerts.url to an address that answers with 2xx',
  );
}

import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { invalidField, LedgerError } from '@decision-ledger/contract/errors';
import type { WebhookReceipt } from '@decision-ledger/contract/webhook';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJsonPartly } from '@decision-ledger/proof/gate';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Actor, Scope } from '../../../platform/principal.js';
import { STRIPE_OBJECTS } from './record-movements.js';
import { StripePayloadError } from './rules/amount.js';
import {
  chargeOf,
  essentialsOf,
  isRead,
  isReadOfMoney,
  isThin,
  type MoneyStripeEvent,
  readStripeEvent,
  type StripeEvent,
} from './rules/stripe-event.js';
import { insertStripeEvent } from './store/stripe-events.js';
import type { SignatureVerdict } from './verify-signature.js';

export interface StripeReceiveTools {
  readonly db: Database;
  readonly jobs: JobQueue;
  /** The signing secrets of a ledger, any of which may have been used. */
  readonly signingSecrets: (scope: Scope) => Promise<readonly string[]>;
}

/** A webhook request as received. */
export interface Delivery {
  readonly body: Buffer;
  readonly signature: string | undefined;
}

/**
 * Verifies an event, then stores it and queues a job in one transaction.
 * @throws LedgerError `invalid_state` without a signing secret, `malformed_request` for a request that
 *   Stripe did not sign or that is not an event, `validation_error` for an event with an invalid amount
 */
export async function receiveDelivery(
  ledger: Ledger,
  { jobs, signingSecrets }: StripeReceiveTools,
  { actor }: Actor,
  { body, signature }: Delivery,
): Promise<WebhookReceipt> {
  const secrets = await signingSecrets(ledger.scope);
  if (secrets.length === 0) {
    throw new LedgerError(
      'invalid_state',
      'no signing secret is set: add it with PATCH /settings {"stripe":{"signing_secrets":["whsec_…"]}}',
    );
  }
  // Loaded on first use: the package is large, and most services do not use Stripe.
  const { verifySignature } = await import('./verify-signature.js');
  refuse(verifySignature(body, signature, secrets, ledger.clock.now()));
  const event = await readEvent(body);
  if (event.event.livemode !== (ledger.scope.mode === 'live'))
    return { status: 'ignored', reason: 'mode' };
  if ('account' in event.event) return { status: 'ignored', reason: 'account' };
  if (event.about === null) return { status: 'ignored', reason: 'type' };
  const isNew = await ledger.write((tx) => keep(tx, event));
  return { status: isNew ? 'accepted' : 'duplicate' };

  async function keep(
    tx: Parameters<typeof insertStripeEvent>[0],
    money: MoneyStripeEvent,
  ): Promise<boolean> {
    const chargeId = chargeOf(money);
    const payload = canonicalJson(essentialsOf(money));
    const received = { id: money.event.id, chargeId, payload, receivedBy: actor };
    if (!(await insertStripeEvent(tx, received))) return false;
    await jobs.send(tx, STRIPE_OBJECTS, { object_id: chargeId });
    return true;
  }
}

const REFUSALS: Readonly<Record<Exclude<SignatureVerdict, 'valid'>, string>> = {
  missing: 'the header Stripe-Signature is missing: only Stripe may call this address',
  stale: 'the signature is more than 300 seconds away from the clock of this service',
  forged: 'the signature fits none of the signing secrets that are set for this ledger',
};

function refuse(verdict: SignatureVerdict): void {
  if (verdict !== 'valid') throw new LedgerError('malformed_request', REFUSALS[verdict]);
}

async function readEvent(body: Buffer): Promise<StripeEvent> {
  if (!isUtf8(body)) throw new LedgerError('malformed_request', 'the body is not UTF-8');
  const text = body.toString('utf8');
  try {
    const value = await parseJsonPartly(text, isRead, setImmediate);
    if (isThin(value)) throw invalidField('object', THIN);
    const event = readStripeEvent(value);
    if (event.about !== null) await parseJsonPartly(text, isReadOfMoney, setImmediate);
    return event;
  } catch (error) {
    if (!(error instanceof StripePayloadError)) throw error;
    throw new LedgerError('validation_error', error.message);
  }
}

const THIN =
  'is v2.core.event, a thin event: it names an object and contains no amount, so nothing can be ' +
  'recorded of it. In Stripe, set the payload style of this event destination to snapshot';

import { LedgerError } from '@decision-ledger/contract/errors';
import { success } from '@decision-ledger/contract/shared';
import { WebhookQuery, WebhookReceipt } from '@decision-ledger/contract/webhook';
import type { FastifyRequest } from 'fastify';
import { readBytes } from '../../../http/body-gate.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import type { Http } from '../../../http/types.js';
import { receiveDelivery, type StripeReceiveTools } from './receive.js';

export interface StripeRouteTools extends StripeReceiveTools {
  readonly metrics: { countWebhook(processor: string, outcome: string): void };
  readonly wrap: Wrap;
}

/** The signature covers the bytes of the body, so no parser may read it first. */
export function stripeRoutes(app: Http, tools: StripeRouteTools): void {
  app.register((own: Http, _options, done) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', readBytes);
    addWebhook(own, tools);
    done();
  });
}

/** What Stripe signed is invalid: its sender does not read the answer, so the log says why. */
function logInvalid({ log }: FastifyRequest, error: unknown): void {
  if (!(error instanceof LedgerError) || error.code !== 'validation_error') return;
  const { message, details } = error;
  log.warn({ reason: message, ...details }, 'an event of Stripe was refused');
}

function addWebhook(app: Http, tools: StripeRouteTools): void {
  const count = (outcome: string) => tools.metrics.countWebhook('stripe', outcome);
  app.post(
    '/financial-events/webhook/stripe',
    {
      config: {
        permission: 'webhook',
        bucket: 'webhook',
        keyInQuery: 'narrow',
        errors: ['invalid_state', 'payload_too_large', 'request_timeout', 'unsupported_media_type'],
      },
      schema: {
        tags: ['financial events'],
        operationId: 'receiveStripeEvent',
        summary: 'Receive a Stripe event. Processing is asynchronous',
        querystring: WebhookQuery,
        response: { 202: success(WebhookReceipt) },
      },
    },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = request.headers['stripe-signature'];
      const signature = Array.isArray(header) ? header.join() : header;
      try {
        const principal = callerOf(request);
        const ledger = tools.db.ledger(principal.scope);
        const receipt = await receiveDelivery(ledger, tools, principal, { body, signature });
        count(receipt.reason === undefined ? receipt.status : `ignored_${receipt.reason}`);
        return reply.code(202).send(tools.wrap(request, receipt));
      } catch (error) {
        count('refused');
        logInvalid(request, error);
        throw error;
      }
    },
  );
}

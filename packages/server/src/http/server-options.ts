import type { Intake } from '../config.js';
import type { ResponseClass } from './answer-policy.js';

/** How often connections are checked for timeouts. */
const CHECKS_MS = 1000;

/** The class of responses, and timeouts for receiving requests. Responses have no timeout. */
export function serverOptions({ requestSeconds }: Intake, ServerResponse: ResponseClass) {
  const requestTimeout = requestSeconds * 1000;
  return {
    requestTimeout,
    http: {
      ServerResponse,
      requestTimeout,
      headersTimeout: requestTimeout / 4,
      connectionsCheckingInterval: CHECKS_MS,
      // A hook refuses requests without Host, with an error in the envelope.
      requireHostHeader: false,
    },
  };
}

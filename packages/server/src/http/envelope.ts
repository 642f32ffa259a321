import { unauthorized } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../platform/clock.js';
import type { Principal } from '../platform/principal.js';

export interface Envelope<Data> {
  readonly data: Data;
  readonly meta: { readonly request_id: string; readonly timestamp: string };
}

/** Wraps the data of a successful response. */
export type Wrap = <Data>(request: FastifyRequest, data: Data) => Envelope<Data>;

export function envelopeWrapper(clock: Clock): Wrap {
  return (request, data) => ({
    data,
    meta: { request_id: request.id, timestamp: formatTimestamp(clock.now()) },
  });
}

/** The authenticated caller. It is always present on routes that require a permission. */
export function callerOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw unauthorized();
  return request.principal;
}

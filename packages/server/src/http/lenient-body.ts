import { setImmediate } from 'node:timers/promises';
import type { LedgerError } from '@decision-ledger/contract/errors';
import {
  GateError,
  type JsonValue,
  requireSize,
  type SizeLimits,
} from '@decision-ledger/proof/gate';
import { type ElementArray, parseElements } from '@decision-ledger/proof/gate-members';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { FastifyRequest } from 'fastify';
import { gateError } from './errors.js';
import { LENIENT, prefers } from './request-headers.js';
import type { Http } from './types.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Elements of a body that were refused alone, by their places; null if its text is accepted as a whole. */
    refusedElements: ReadonlyMap<number, LedgerError> | null;
  }
}

export function addLenientBodies(app: Http): void {
  app.decorateRequest('refusedElements', null);
}

/**
 * Parses a body that was refused, element by element, if the request prefers that. In place of a refused element
 * stands the digest of its text, so that a repeat is told from another request.
 * @param refusal of the whole body
 * @returns null if the refusal concerns the whole body
 */
export function parseLeniently(
  request: FastifyRequest,
  body: Buffer,
  refusal: unknown,
  limits: SizeLimits,
): Promise<JsonValue> | null {
  const { lenientArray } = request.routeOptions.config;
  if (lenientArray === undefined || !prefers(request, LENIENT)) return null;
  if (!(refusal instanceof GateError) || refusal.kind !== 'unrepresentable') return null;
  return parseAlone(request, body, lenientArray, limits);
}

async function parseAlone(
  request: FastifyRequest,
  body: Buffer,
  array: ElementArray,
  limits: SizeLimits,
): Promise<JsonValue> {
  await setImmediate();
  const text = body.toString('utf8');
  requireSize(text, limits);
  const { value, elements, refused } = await parseElements(text, array, limits, setImmediate);
  const errors = new Map<number, LedgerError>();
  for (const [at, { error, text: part }] of refused) {
    errors.set(at, gateError(error));
    elements[at] = `sha256:${sha256Hex(part)}`;
  }
  request.refusedElements = errors;
  return value;
}

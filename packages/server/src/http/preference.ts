import type { FastifyReply, FastifyRequest } from 'fastify';

/** The preference for a receipt that is signed (RFC 7240). */
export const SIGNED_RECEIPT = 'receipt=signed';

/** Whether a request prefers a signed receipt. Preferences that are unknown are ignored. */
export function prefersSignedReceipt({ headers }: FastifyRequest): boolean {
  const { prefer } = headers;
  if (prefer === undefined) return false;
  const lines = typeof prefer === 'string' ? [prefer] : prefer;
  return lines
    .flatMap((line) => line.split(','))
    .some((one) => /^\s*receipt\s*=\s*(?:signed|"signed")\s*(?:;|$)/i.test(one));
}

/** Says that a preference was met. */
export function markPreference(reply: FastifyReply, preference: string): void {
  void reply.header('preference-applied', preference);
}

import { type Buffer, isUtf8 } from 'node:buffer';
import { Stripe } from 'stripe';

/** `forged`: no secret made the signature, or the header is malformed. */
export type SignatureVerdict = 'valid' | 'missing' | 'stale' | 'forged';

/** Maximum difference between the time of signing and the clock, as Stripe recommends. */
const TOLERANCE_SECONDS = 300;
/** Disables the clock check of the package. */
const ANY_TIME = 0;

/**
 * Verifies the header `Stripe-Signature` (https://docs.stripe.com/webhooks/signature).
 * `stale` is returned for a genuine signature only.
 * @param rawBody the bytes as received
 * @param secrets signing secrets, any of which is accepted; without secrets no signature is valid
 * @param now ms
 */
export function verifySignature(
  rawBody: Buffer,
  header: string | undefined,
  secrets: readonly string[],
  now: number,
): SignatureVerdict {
  if (header === undefined || header.trim() === '') return 'missing';
  const signedAt = timeOf(header);
  if (signedAt === null || !isUtf8(rawBody)) return 'forged';
  // As text: given bytes, the package drops a byte order mark and repairs invalid UTF-8.
  const body = rawBody.toString('utf8');
  if (!secrets.some((secret) => isSignedWith(secret, body, header))) return 'forged';
  const age = Math.floor(now / 1000) - signedAt;
  return Math.abs(age) > TOLERANCE_SECONDS ? 'stale' : 'valid';
}

/** @returns seconds since the epoch; null unless the header has exactly one time */
function timeOf(header: string): number | null {
  const times = header.split(',').filter((item) => item.split('=')[0] === 't');
  const digits = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined;
  return digits === undefined ? null : Number(digits);
}

function isSignedWith(secret: string, body: string, header: string): boolean {
  const { signature } = Stripe.webhooks;
  if (signature === null) throw new Error('the stripe package verifies no signatures');
  try {
    return signature.verifyHeader(body, header, secret, ANY_TIME);
  } catch {
    // Errors of several types, such as a plain Error for `v1=`. They contain the body: none is passed on.
    return false;
  }
}

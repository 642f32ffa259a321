import { type Buffer, isUtf8 } from 'node:buffer';
import { Stripe } from 'stripe';

/** `forged` is any signature that none of the secrets made, a broken header included. */
export type SignatureVerdict = 'valid' | 'missing' | 'stale' | 'forged';

/** How far the time of signing may be from ours, either way; Stripe's own advice. */
const TOLERANCE_SECONDS = 300;
/** Tells the package not to look at the clock. */
const ANY_TIME = 0;

/**
 * Judges the header `Stripe-Signature` (https://docs.stripe.com/webhooks/signature).
 * `stale` is told only of a signature that is genuine.
 * @param rawBody the bytes as they came
 * @param secrets signing secrets, any of which may have been used; with none nothing is valid
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
  // As text: the package would drop a byte order mark from bytes and mend what is not UTF-8.
  const body = rawBody.toString('utf8');
  if (!secrets.some((secret) => isSignedWith(secret, body, header))) return 'forged';
  const age = Math.floor(now / 1000) - signedAt;
  return Math.abs(age) > TOLERANCE_SECONDS ? 'stale' : 'valid';
}

/** @returns seconds since the epoch, or null unless the header names exactly one time */
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
    // Several types, such as a plain Error for `v1=`; they hold the body, so none goes further.
    return false;
  }
}

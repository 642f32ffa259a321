import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** An independent implementation of RFC 8785; its types do not match its export. */
export const canonicalize: (value: unknown) => string | undefined = createRequire(import.meta.url)(
  'canonicalize',
);

/** The leaf hash, built byte by byte. */
export function leafOracle(entry: string): string {
  return createHash('sha256').update(Uint8Array.of(0)).update(entry, 'utf8').digest('hex');
}

/** The commitment to a disclosure, computed step by step. */
export function commitmentOracle(disclosure: string): string {
  const ascii = Buffer.from(disclosure, 'utf8')
    .toString('base64')
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  return createHash('sha256').update(Buffer.from(ascii, 'ascii')).digest('base64url');
}

/** Passes a value off as JSON, as a caller without types may. */
export function pretend(value: unknown): JsonValue {
  return Object({ value }).value;
}

/** A value that the test knows to exist. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) {
    throw new Error('The test looked for a value that is not there.');
  }
  return value;
}

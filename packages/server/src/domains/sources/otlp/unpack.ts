import { createGunzip } from 'node:zlib';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';

const MIB = 1024 * 1024;

/**
 * Unpacks a body. It ends as soon as the output is larger than a body may be, whatever the input says.
 * @param encoding the header Content-Encoding
 * @param onBytes called with the number of bytes of each piece, before it is kept; throws to stop
 * @throws LedgerError `unsupported_media_type`, `malformed_request`, `payload_too_large`
 */
export async function unpack(
  body: Buffer,
  encoding: string,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') {
    throw new LedgerError('unsupported_media_type', 'send the body with gzip or uncompressed');
  }
  const pieces: Buffer[] = [];
  let size = 0;
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  gunzip.end(body);
  try {
    for await (const piece of gunzip) {
      const bytes: Buffer = Buffer.from(piece);
      size += bytes.length;
      if (size > LIMITS.otlpBodyBytes) {
        const limit = LIMITS.otlpBodyBytes / MIB;
        throw new LedgerError('payload_too_large', `the body unpacks to more than ${limit} MiB`);
      }
      onBytes(bytes.length);
      pieces.push(bytes);
    }
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new LedgerError(
      'malformed_request',
      'the body is not in the gzip format, or is truncated',
    );
  }
  return Buffer.concat(pieces);
}

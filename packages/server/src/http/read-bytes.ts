import type { IncomingMessage } from 'node:http';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { FastifyRequest } from 'fastify';

const FIRST_BYTES = 64 * 1024;

/**
 * Reads a body into one growing buffer, which is at most twice as large as the bytes received,
 * however small the chunks are.
 * @throws LedgerError `payload_too_large`, `unavailable`, or `malformed_request` if the body is cut
 */
export function readBytes(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const length = payload.headers['content-length'];
  const announced = length === undefined ? null : Number(length);
  if (announced !== null && announced > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    let size = 0;
    const stop = (error: unknown) => {
      payload.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      bytes = Buffer.alloc(0);
      reject(error);
    };
    const onCut = () =>
      stop(new LedgerError('malformed_request', 'the body is shorter than announced'));
    const onEnd = () => {
      payload.off('close', onCut);
      resolve(bytes.subarray(0, size));
    };
    const onData = (chunk: Buffer) => {
      try {
        if (size + chunk.length > limit) throw tooLarge();
        if (size + chunk.length > bytes.length) {
          const wanted = Math.max(FIRST_BYTES, 2 * (size + chunk.length));
          const grown = Math.min(wanted, announced ?? limit);
          if (announced === null) request.bodyReservation?.reserve(grown - bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, size)], grown);
        }
        size += chunk.copy(bytes, size);
      } catch (error) {
        stop(error);
      }
    };
    payload.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  });
}

function tooLarge(): LedgerError {
  return new LedgerError('payload_too_large', 'the body is larger than this path accepts');
}

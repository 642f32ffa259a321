import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../../platform/outbound.js';
import { ConnectorError } from './errors.js';

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Sends one request to an accounting system.
 * @param who name of the system, for errors
 * @throws ConnectorError, temporary, for a missing or incomplete answer and for status 408, 429, 5xx
 */
export async function callSystem(
  outbound: Outbound,
  who: string,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<OutboundAnswer> {
  const answer = await send(outbound, who, request);
  const { status } = answer;
  if (status === 429) {
    throw new ConnectorError(`${who} refused too many requests (429); the poll is retried`, {
      isTemporary: true,
    });
  }
  if (status >= 500 || status === 408) {
    throw new ConnectorError(`${who} failed with status ${status}; the poll is retried`, {
      isTemporary: true,
    });
  }
  return answer;
}

async function send(
  outbound: Outbound,
  who: string,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<OutboundAnswer> {
  try {
    return await outbound({
      ...request,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `${who} did not answer (${why}); the poll is retried`;
    throw new ConnectorError(message, { isTemporary: true, cause });
  }
}

import type { OutboundAnswer, OutboundRequest } from '../../../../platform/outbound.js';
import type { ConnectorTools } from './connector.js';
import { ConnectorError } from './errors.js';

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * One exchange with an accounting system.
 * @param who the system, for errors
 * @throws ConnectorError, temporary, when there was no whole answer or it says to come back later
 */
export async function call(
  tools: ConnectorTools,
  who: string,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<OutboundAnswer> {
  const answer = await send(tools, who, request);
  const { status } = answer;
  if (status === 429) {
    throw new ConnectorError(`${who} says that it was asked too often (429); it is tried again`, {
      isTemporary: true,
    });
  }
  if (status >= 500 || status === 408) {
    throw new ConnectorError(`${who} failed with status ${status}; it is tried again`, {
      isTemporary: true,
    });
  }
  return answer;
}

async function send(
  { outbound }: ConnectorTools,
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
    const message = `${who} did not answer (${why}); it is tried again`;
    throw new ConnectorError(message, { isTemporary: true, cause });
  }
}

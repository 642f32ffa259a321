import { GateError, type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../../../platform/outbound.js';

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

/** An accounting system could not be read. The message names the remedy and contains no secret. */
export class ConnectorError extends Error {
  override readonly name = 'ConnectorError';
  /** Whether a retry may succeed without a change of the settings. */
  readonly isTemporary: boolean;

  constructor(message: string, options: { isTemporary: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.isTemporary = options.isTemporary;
  }
}

/**
 * Parses JSON with each number as the string of its characters, so that no digit is lost to a 64-bit
 * float. The other rules are those of the gate.
 * @param who name of the system that sent the text, for errors
 * @throws ConnectorError when the text is not JSON or has a value that cannot be stored unchanged
 */
export function parseExactJson(text: string, who: string): JsonValue {
  try {
    return parseJson(quoteNumbers(text));
  } catch (cause) {
    if (!(cause instanceof GateError)) throw cause;
    if (cause.kind === 'syntax') {
      const message = `${who} sent an answer that is incomplete or not JSON; the poll is retried`;
      throw new ConnectorError(message, { isTemporary: true });
    }
    const message = `${who} sent an answer that cannot be stored, at ${cause.path}: ${cause.message}`;
    throw new ConnectorError(message, { isTemporary: false });
  }
}

const START = /["\-\d]/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const AFTER_NUMBER = /[^-+.\deE]|$/g;
const AFTER_SPACE = /[^ \t\r\n]|$/g;
/** Longer numbers are no amounts of money and are not matched. */
const MAX_CHARS = 1000;

/**
 * Quotes each number of a JSON text. Invalid JSON stays invalid. The time is linear in the length.
 */
function quoteNumbers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = find(START, text, 0); at < text.length; at = find(START, text, at)) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    const end = find(AFTER_NUMBER, text, at);
    if (isNumber(text, at, end)) {
      parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
      copied = end;
    }
    at = end;
  }
  return parts.join('') + text.slice(copied);
}

/** A number followed by a colon is not quoted: it would become a key and repair invalid JSON. */
function isNumber(text: string, start: number, end: number): boolean {
  if (end - start > MAX_CHARS || !NUMBER.test(text.slice(start, end))) return false;
  return text[find(AFTER_SPACE, text, end)] !== ':';
}

/** The next index of a pattern with the flag g; the length of the text if there is none. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

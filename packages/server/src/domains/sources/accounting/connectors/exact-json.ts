import { GateError, type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { quoteNumbers } from '../rules/quote-numbers.js';
import { ConnectorError } from './errors.js';

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

import { GateError, type JsonValue, parseJson } from '@decision-ledger/proof/gate';
import { quoteNumbers } from '../rules/quote-numbers.js';
import { ConnectorError } from './errors.js';

/**
 * Reads a JSON text in which every number becomes the string of its characters, so that no digit is
 * lost to a 64-bit float. Everything else is read, and refused, as the gate does.
 * @param who the system that sent it, for the error
 * @throws ConnectorError when the text is not JSON or holds what cannot be kept faithfully
 */
export function parseExactJson(text: string, who: string): JsonValue {
  try {
    return parseJson(quoteNumbers(text));
  } catch (cause) {
    if (!(cause instanceof GateError)) throw cause;
    if (cause.kind === 'syntax') {
      const message = `${who} sent an answer that is cut short or not JSON; it is tried again`;
      throw new ConnectorError(message, { isTemporary: true });
    }
    const message = `${who} sent an answer that cannot be kept, at ${cause.path}: ${cause.message}`;
    throw new ConnectorError(message, { isTemporary: false });
  }
}

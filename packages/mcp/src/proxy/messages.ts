import { MarkedText } from '@decision-ledger/client/values';
import { type JsonMembers, membersOf, readJson } from '../json.js';

/** The id of a request as a key: `1` and `"1"` are two ids. */
export type IdKey = string;

export interface Call {
  readonly kind: 'call';
  readonly id: IdKey | null;
  readonly method: string;
  readonly params: JsonMembers;
}

export interface ResponseMessage {
  readonly kind: 'answer';
  readonly id: IdKey;
  /** Exactly one of both is present. */
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The messages of a line: one, or those of a JSON-RPC batch. What is no JSON-RPC message is left out. */
export function readMessages(line: string): (Call | ResponseMessage)[] {
  const value = readJson(line);
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => readMessage(one) ?? []);
}

/** The key of an id; null if it is neither text nor a number. */
export function idKey(id: unknown): IdKey | null {
  if (id instanceof MarkedText) return id.text;
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : null;
}

function readMessage(value: unknown): Call | ResponseMessage | null {
  const message = membersOf(value);
  if (message === null) return null;
  const { method, params } = message;
  const id = idKey(message.id);
  if (typeof method === 'string') {
    return { kind: 'call', id, method, params: membersOf(params) ?? {} };
  }
  if (id === null) return null;
  if ('result' in message) {
    return { kind: 'answer', id, result: membersOf(message.result) ?? message.result };
  }
  return 'error' in message ? { kind: 'answer', id, error: message.error } : null;
}

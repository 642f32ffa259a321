import { messageOf } from '../errors.js';

/** A JSON object. */
export type Members = { readonly [name: string]: unknown };

/** Replaces a value that is no JSON: the rest of the decision is kept. */
const UNREADABLE: Members = { ledger_payload_dropped: 'not_serializable' };

/** A copy of a value as a payload field takes it: anything but an object stands under `value`. */
export function membersOf(value: unknown): Members {
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) return {};
    const copy: unknown = JSON.parse(text);
    return isMembers(copy) ? copy : { value: copy };
  } catch {
    return UNREADABLE;
  }
}

/** The object in a JSON text. Any other text stands under `value`. */
export function membersIn(text: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : { value: text };
  } catch {
    return { value: text };
  }
}

/** The outputs of a call that failed: a default of `liability.denied_by` knows them by the status. */
export function failure(error: unknown): Members {
  const type = error instanceof Error ? error.name : 'Error';
  return { status: 'failed', error: { type, message: messageOf(error) } };
}

/** The outputs of a call that a person rejected: a default of `liability.denied_by` knows them, too. */
export function rejection(reason: string | undefined): Members {
  return { approved: false, ...(reason !== undefined && { reason }) };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of names; undefined if there is none. */
export function follow(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isMembers(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

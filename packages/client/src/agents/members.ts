import { messageOf } from '../errors.js';
import { readJsonText } from '../values/json-text.js';

/** A JSON object. */
export type Members = { readonly [name: string]: unknown };

/** A value as a payload field takes it: a JSON text is what it says, and anything but an object stands under `value`. */
export function membersOf(value: unknown): Members {
  if (value === undefined) return {};
  const read = typeof value === 'string' ? readJsonText(value) : value;
  try {
    return isMembers(read) ? read : { value: read };
  } catch {
    return { value: read };
  }
}

/** How a call ended. */
export interface Ending {
  readonly outputs: Members;
  /** `metadata.outcome`: what the framework says. */
  readonly outcome: 'done' | 'failed' | 'denied';
}

/** A call that returned. What it returned may say otherwise: the ledger reads that. */
export const returned = (outputs: Members): Ending => ({ outputs, outcome: 'done' });

export function failure(error: unknown): Ending {
  const message = messageOf(error);
  const outputs = { status: 'failed', error: { type: typeOf(error), message } };
  return { outputs, outcome: 'failed' };
}

function typeOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : 'Error';
  } catch {
    return 'Error';
  }
}

/** A call that a person, or a rule, did not allow. */
export function rejection(reason: string | undefined): Ending {
  const outputs = { approved: false, ...(reason !== undefined && { reason }) };
  return { outputs, outcome: 'denied' };
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

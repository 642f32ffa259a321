import { messageOf } from '../errors.js';

/** A JSON object. */
export type Members = { readonly [name: string]: unknown };

/** Replaces a value that is no JSON: the rest of the decision is kept. */
const UNREADABLE: Members = { ledger_payload_dropped: 'not_serializable' };
/** Members that are copied one by one. They may all lead to the same large value, so the time is bounded. */
const MAX_SINGLE = 100;

/** A copy of a value as a payload field takes it: anything but an object stands under `value`. */
export function membersOf(value: unknown): Members {
  try {
    const copy = copyOf(value);
    if (copy === undefined) return {};
    return isMembers(copy) ? copy : { value: copy };
  } catch {
    return readableMembers(value);
  }
}

/** One member that is no JSON must not cost the others. */
function readableMembers(value: unknown): Members {
  try {
    if (!isMembers(value) || typeof value.toJSON === 'function') return UNREADABLE;
    const names = Object.keys(value);
    if (names.length > MAX_SINGLE) return UNREADABLE;
    return Object.fromEntries(names.map((name) => [name, memberOf(value, name)]));
  } catch {
    return UNREADABLE;
  }
}

function memberOf(value: Members, name: string): unknown {
  try {
    return copyOf(value[name]);
  } catch {
    return UNREADABLE;
  }
}

function copyOf(value: unknown): unknown {
  const text: string | undefined = JSON.stringify(value, asJson);
  return text === undefined ? undefined : JSON.parse(text);
}

/** JSON would refuse a big integer, and lose what is in a map or a set. */
function asJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
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

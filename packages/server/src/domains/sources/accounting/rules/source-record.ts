import type { JsonValue } from '@decision-ledger/proof/gate';

/** One money movement as the accounting system has it now. */
export interface SourceRecord {
  /** With `identity: 'id'` the key of the record, such as `Payment/123`; else a name that others may have too. */
  readonly name: string;
  readonly identity: Identity;
  /** SHA-256 of the canonical JSON of `event`, hexadecimal. */
  readonly fingerprint: string;
  /** Null for a record that was deleted or voided. */
  readonly event: SourceEvent | null;
  /** The record as a person finds it in the books: the file and line, or the id. */
  readonly where: string;
  /** Absent with an id, which survives every edit. */
  readonly traits?: Traits;
}

/**
 * What tells that a record is still the same one after an edit:
 * - `id`: its name, which no other record has
 * - `code`: its name, among the few that share it
 * - `content`: nothing but its content
 */
export type Identity = 'id' | 'code' | 'content';

export interface SourceEvent {
  /** 1 to 200 characters. */
  readonly event_type: string;
  /** Matches `^-?(0|[1-9]\d{0,19})(\.\d{1,12})?$`; zero has no sign. Money received is positive. */
  readonly amount: string;
  /** ISO 4217 */
  readonly currency: string;
  /** 1 to 200 characters. */
  readonly external_id?: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly timestamp: string;
  /** At most 1,000 characters. */
  readonly description?: string;
  readonly metadata?: { readonly [name: string]: JsonValue };
}

/** A record that cannot be recorded, and why. */
export interface SourceProblem {
  readonly where: string;
  readonly reason: string;
  /** The record as far as it can be read: what is recorded of it stays. Null if it may be any record. */
  readonly about: ProblemSubject | null;
}

export type ProblemSubject = Pick<SourceRecord, 'name' | 'identity'> & { readonly traits: Traits };

/** What people tell a movement by. */
export interface Traits {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly account: string;
  /** Amount and currency. */
  readonly money: string;
  readonly text: string;
  /** Empty if there is none. */
  readonly code: string;
}

import type {
  ACCOUNTING,
  AccountingKind,
  ConnectionOf,
} from '@decision-ledger/contract/accounting';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Clock } from '../../../../platform/clock.js';
import type { Outbound } from '../../../../platform/outbound.js';

/** One money movement in its present state in the accounting system. */
export interface SourceRecord {
  /** Stable identity within the connection, 1 to 200 characters, such as `Payment/123`. */
  readonly key: string;
  /** SHA-256 of the canonical JSON of `event`, hexadecimal. */
  readonly fingerprint: string;
  /** Null for a record that was deleted or voided. */
  readonly event: SourceEvent | null;
}

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

export interface Poll {
  readonly records: readonly SourceRecord[];
  /** `records` is the complete set: a record that is missing was deleted. */
  readonly isComplete: boolean;
  /** For the next poll, once these records are committed. */
  readonly cursor: string;
  /** One sentence for each record that was skipped: the record and the reason. */
  readonly problems: readonly string[];
}

/** Reads one connection. */
export interface ConnectorClient {
  /**
   * @param cursor of the poll before; null for the first
   * @throws ConnectorError when the accounting system could not be read
   */
  poll(cursor: string | null): Promise<Poll>;
}

/** A refresh token that the other system replaces at each use. */
export interface RotatingToken {
  /** The newest token of the chain that begins with the one in the settings. */
  newest(): string;
  /** Stores a token that replaced the one before. */
  save(token: string): Promise<void>;
}

export interface ConnectorTools {
  readonly clock: Clock;
  readonly outbound: Outbound;
  /** @param fromSettings the token in the settings */
  readonly rotatingToken: (fromSettings: string) => RotatingToken;
}

/** A kind of connection: its settings, and the client that reads it. */
export type Connector<Kind extends AccountingKind> = (typeof ACCOUNTING)[Kind] & {
  create(connection: ConnectionOf<Kind>, tools: ConnectorTools): ConnectorClient;
};

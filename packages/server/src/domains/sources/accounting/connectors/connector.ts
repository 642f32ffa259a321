import type {
  ACCOUNTING,
  AccountingKind,
  ConnectionOf,
} from '@decision-ledger/contract/accounting';
import type { Clock } from '../../../../platform/clock.js';
import type { Outbound } from '../../../../platform/outbound.js';
import type { Found } from '../rules/match.js';

export interface Poll extends Found {
  /** For the next poll, once these records are committed; null if each poll reads everything. */
  readonly cursor: string | null;
  /** What the poll could not learn, one sentence each. */
  readonly notes: readonly string[];
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

import type {
  ACCOUNTING,
  AccountingKind,
  ConnectionOf,
} from '@decision-ledger/contract/accounting';
import type { Mode } from '@decision-ledger/contract/permissions';
import type { Clock } from '../../../../platform/clock.js';
import type { Outbound } from '../../../../platform/outbound.js';
import type { Found } from '../rules/match.js';
import type { SourceProblem } from '../rules/source-record.js';

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

/** Keeps what was read from Stripe, with what its webhook sends. What was kept before changes nothing. */
export interface StripeInbox {
  /** The mode of the ledger. */
  readonly mode: Mode;
  keepTransactions(items: readonly unknown[]): Promise<readonly SourceProblem[]>;
  /** Keeps a payout and the pages of balance transactions that it consists of. */
  keepPayout(
    item: unknown,
    contents: AsyncIterable<readonly unknown[]> | null,
  ): Promise<readonly SourceProblem[]>;
}

export interface ConnectorTools {
  readonly clock: Clock;
  readonly stripe: StripeInbox;
  readonly outbound: Outbound;
  /** @param fromSettings the token in the settings */
  readonly rotatingToken: (fromSettings: string) => RotatingToken;
}

/** A kind of connection: its settings, and the client that reads it. */
export type Connector<Kind extends AccountingKind> = (typeof ACCOUNTING)[Kind] & {
  create(connection: ConnectionOf<Kind>, tools: ConnectorTools): ConnectorClient;
};

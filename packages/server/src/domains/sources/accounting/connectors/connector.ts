import type { JsonValue } from '@decision-ledger/proof/gate';
import type { Outbound } from '../../../../platform/outbound.js';

/** One money movement as the accounting system has it now. */
export interface SourceRecord {
  /** Stable identity within the connection, 1 to 200 characters, such as `Payment/123`. */
  readonly key: string;
  /** Hex SHA-256 of the canonical JSON of `event`; another content has another one. */
  readonly fingerprint: string;
  /** null: the accounting system says that it is gone (deleted or voided). */
  readonly event: SourceEvent | null;
}

export interface SourceEvent {
  /** 1 to 200 characters. */
  readonly event_type: string;
  /** Matches `^-?(0|[1-9]\d{0,19})(\.\d{1,12})?$`, and zero has no sign. + is money received. */
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
  /** True when `records` is everything there is, so that what is missing has been deleted. */
  readonly isComplete: boolean;
  /** What to hand to the next poll once these records are committed. */
  readonly cursor: string;
  /** What could not be taken, a sentence each: the record and why. The poll goes on without it. */
  readonly problems: readonly string[];
}

export interface Connector {
  /**
   * @param cursor of the poll before, null at first
   * @throws ConnectorError when the accounting system could not be read
   */
  poll(cursor: string | null): Promise<Poll>;
}

/** What every connector reads through. */
export interface ConnectorTools {
  readonly outbound: Outbound;
}

export interface HledgerConnection {
  readonly id: string;
  readonly kind: 'hledger';
  /** Of hledger-web, such as `http://127.0.0.1:5000`. */
  readonly url: string;
  /**
   * Accounts whose postings are the money movements, each with those below it. Without it: what
   * hledger takes for a revenue or expense account by its name.
   */
  readonly accounts?: readonly string[];
}

export interface QuickBooksConnection {
  readonly id: string;
  readonly kind: 'quickbooks';
  readonly realm_id: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  readonly environment: 'sandbox' | 'production';
  /** Only for a local or proxied server: in place of `https://quickbooks.api.intuit.com`. */
  readonly api_url?: string;
  /** Only for a local or proxied server: in place of Intuit's token endpoint, whole. */
  readonly token_url?: string;
}

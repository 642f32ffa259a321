import { LedgerClient } from './ledger.js';
import type { LedgerOptions } from './options.js';
import { webRuntime } from './web-runtime.js';

export * from './exports.js';

/**
 * Records decisions in a ledger, and calls its API. This build is for browsers and edge platforms.
 *
 * @example
 * ```ts
 * import { Ledger } from '@decision-ledger/client';
 *
 * const ledger = new Ledger({ url: 'https://ledger.example.com', key: 'lg_live_…' });
 * ledger.stats().pending; // => 0
 * ```
 */
export class Ledger extends LedgerClient {
  /** @throws TypeError if an option is not valid, or is `outbox`: there are no files */
  constructor(options: LedgerOptions) {
    super(options, webRuntime);
  }
}

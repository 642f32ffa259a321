import { LedgerClient } from './ledger.js';
import { nodeRuntime } from './node/runtime.js';
import type { LedgerOptions } from './options.js';

export * from './exports.js';

/**
 * Records decisions in a ledger, and calls its API. This build is for Node.js, Bun and Deno.
 *
 * @example
 * ```ts
 * import { Ledger } from '@decision-ledger/client';
 *
 * async function main(key: string) {
 *   const ledger = new Ledger({ url: 'https://ledger.example.com', key, outbox: './outbox' });
 *   ledger.record({
 *     agent_id: 'refund-bot',
 *     action_type: 'refund',
 *     inputs: { order: 'A-1041' },
 *     outputs: { approved: true, amount: '49.00' },
 *     confidence: 0.93,
 *   });
 *   await ledger.close();
 * }
 * ```
 */
export class Ledger extends LedgerClient {
  /** @throws TypeError if an option is not valid; an error of the file system for the outbox */
  constructor(options: LedgerOptions) {
    super(options, nodeRuntime);
  }
}

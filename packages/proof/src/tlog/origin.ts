/** What the origin of a log of this ledger says. */
export interface LogOrigin {
  /** The name of the operator, such as a host name. */
  readonly name: string;
  /** Public id of the ledger. */
  readonly ledger: string;
  readonly chain: 'decisions' | 'activity';
  /** From 1. */
  readonly generation: number;
  readonly mode: 'live' | 'test';
}

const ORIGIN = /^(.+)\/(led_[0-9a-z]+)\/(decisions|activity)(?:\/([1-9]\d{0,8}))?(\/test)?$/;

/**
 * Reads the origin of a log.
 *
 * @returns null if it is not the origin of a log of a ledger
 * @example
 * ```ts
 * import { readOrigin } from '@decision-ledger/proof/tlog/origin';
 *
 * readOrigin('example.com/led_1/activity/test')?.mode; // => 'test'
 * readOrigin('example.com/log'); // => null
 * ```
 */
export function readOrigin(origin: string): LogOrigin | null {
  const [, name = '', ledger = '', chain, generation = '1', test] = ORIGIN.exec(origin) ?? [];
  if (chain !== 'decisions' && chain !== 'activity') return null;
  return {
    name,
    ledger,
    chain,
    generation: Number(generation),
    mode: test === undefined ? 'live' : 'test',
  };
}

import { finish, fold } from '@decision-ledger/contract/fold';

/** The number of decisions, and the number with each token. A missing token is rare. */
export interface Frequencies {
  readonly decisions: number;
  readonly byToken: ReadonlyMap<number, number>;
}

/** How many decisions hold a token: as counted, but at least those at hand. */
export function holdersOf(
  { byToken }: Frequencies,
  atHand: ReadonlyMap<number, number>,
  token: number,
): number {
  return Math.max(1, byToken.get(token) ?? 0, atHand.get(token) ?? 0);
}

/** The information in a value, in bits: how rare it is among decisions. */
export function bitsOf({ decisions }: Frequencies, holders: number): number {
  return Math.log2((Math.max(decisions, holders) + 1) / holders);
}

/** All of the first 10,000 decisions are counted, one in ten of the next 90,000, and so on. */
const COUNTED_WHOLE = 10_000;

/**
 * The weight of a decision in the count of values; 0 outside of the sample. The estimate is unbiased
 * (Horvitz and Thompson, 1952). The sample grows with the logarithm of the ledger.
 * @param seq position in the chain, from 1
 */
export function sampleWeight(seq: number, decisionId: string): number {
  let weight = 1;
  for (let end = COUNTED_WHOLE; seq > end; end *= 10) weight *= 10;
  return (finish(fold(decisionId)) >>> 0) % weight === 0 ? weight : 0;
}

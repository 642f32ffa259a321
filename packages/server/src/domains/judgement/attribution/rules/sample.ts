import { finish, fold } from '@decision-ledger/contract/fold';

/** Up to so many decisions each one is counted, of the next nine times as many one in ten, … */
const COUNTED_WHOLE = 10_000;

/**
 * How many decisions this one stands for in the count of values: 0 when it is not in the sample.
 * The estimate is unbiased (Horvitz and Thompson, 1952), and the sample grows with the logarithm of
 * the ledger.
 * @param seq place in the chain, from 1
 */
export function sampleWeight(seq: number, decisionId: string): number {
  let weight = 1;
  for (let end = COUNTED_WHOLE; seq > end; end *= 10) weight *= 10;
  return (finish(fold(decisionId)) >>> 0) % weight === 0 ? weight : 0;
}

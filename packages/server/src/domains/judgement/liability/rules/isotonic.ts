export interface WeightedValue {
  readonly value: number;
  /** Above 0. */
  readonly weight: number;
}

interface Block {
  sum: number;
  weight: number;
  length: number;
}

/**
 * The non-increasing sequence closest to the values in weighted least squares: isotonic regression by
 * pooling adjacent violators (Ayer and others, 1955). For rates weighted by their outcomes it is also
 * the maximum-likelihood sequence.
 */
export function nonIncreasing(values: readonly WeightedValue[]): number[] {
  const blocks: Block[] = [];
  for (const { value, weight } of values) {
    let block: Block = { sum: value * weight, weight, length: 1 };
    for (let before = blocks.at(-1); before !== undefined; before = blocks.at(-1)) {
      if (before.sum / before.weight > block.sum / block.weight) break;
      blocks.pop();
      block = {
        sum: before.sum + block.sum,
        weight: before.weight + block.weight,
        length: before.length + block.length,
      };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, weight, length }) => Array<number>(length).fill(sum / weight));
}

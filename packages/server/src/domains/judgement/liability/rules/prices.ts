import type { ModelPrice } from '@decision-ledger/contract/model-price';

/** A price for as long as it holds: days, the end is exclusive. */
export interface HeldPrice extends ModelPrice {
  /** Null: it still holds. */
  readonly until: string | null;
}

/** Each price holds until the next one of its model. */
export function heldPrices(prices: readonly ModelPrice[]): HeldPrice[] {
  const inOrder = [...prices].sort((a, b) =>
    a.model === b.model ? order(a.from, b.from) : order(a.model, b.model),
  );
  return inOrder.map((price, index) => {
    const next = inOrder[index + 1];
    return { ...price, until: next?.model === price.model ? next.from : null };
  });
}

const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/**
 * The next one that is wanted, after a place and then from the start.
 * @returns the place itself if none is wanted
 */
export function nextOf<Item>(
  items: readonly Item[],
  from: number,
  isWanted: (item: Item) => boolean,
): number {
  for (let step = 1; step < items.length; step += 1) {
    const at = (from + step) % items.length;
    const item = items[at];
    if (item !== undefined && isWanted(item)) return at;
  }
  return from;
}

/**
 * Reads items in their order while the next ones are already being read.
 * @param depth how many are read at a time
 * @throws whatever the first failed read throws
 */
export async function* readAhead<Item, Result>(
  items: readonly Item[],
  depth: number,
  read: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  let next = 0;
  const start = () => {
    const item = items[next];
    if (item === undefined) return;
    next += 1;
    const reading = read(item);
    // It is awaited in its turn, or not at all after an earlier one has failed.
    reading.catch(() => undefined);
    waiting.push(reading);
  };
  for (let count = 0; count < depth; count += 1) start();
  for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
    const result = await own;
    start();
    yield result;
  }
}

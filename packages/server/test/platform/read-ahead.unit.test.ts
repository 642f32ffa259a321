import { describe, expect, it } from 'vitest';
import { readAhead } from '#server/domains/answers/experiments/load';

const items = [0, 1, 2, 3, 4];

async function collect(results: AsyncGenerator<number>): Promise<number[]> {
  const all: number[] = [];
  for await (const one of results) all.push(one);
  return all;
}

describe('Reading ahead', () => {
  it('Results come in the order of the items, whichever read ends first', async () => {
    const read = async (item: number) => {
      for (let turn = item; turn < 5; turn += 1) await Promise.resolve();
      return item * 10;
    };
    expect(await collect(readAhead(items, 3, read))).toEqual([0, 10, 20, 30, 40]);
    expect(await collect(readAhead([], 3, read))).toEqual([]);
  });

  it('At most so many reads run at a time', async () => {
    let [running, most] = [0, 0];
    const read = async (item: number) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return item;
    };
    expect(await collect(readAhead(items, 2, read))).toEqual(items);
    expect(most).toBe(2);
  });

  it('The first failed read in the order of the items is thrown, and no other goes unhandled', async () => {
    const read = (item: number) =>
      item > 0 ? Promise.reject(new Error(`item ${item}`)) : Promise.resolve(item);
    await expect(collect(readAhead(items, 3, read))).rejects.toThrow('item 1');
  });
});

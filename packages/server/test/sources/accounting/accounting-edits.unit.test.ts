import { describe, expect, it } from 'vitest';
import { assignEdits } from '#server/domains/sources/accounting/rules/edits';
import { cpuMs } from '../../../../proof/test/support/cpu-time.js';

type Short = readonly [day: string, account: string, money: string, text: string, code?: string];

const versions = (list: readonly Short[]) =>
  list.map(([day, account, money, text, code = '']) => ({
    traits: { day, account, money, text, code },
    content: [day, account, money, text, code].join(' '),
  }));

const assign = (former: readonly Short[], latter: readonly Short[]) => {
  const { certain, unsure } = assignEdits(versions(former), versions(latter));
  const pairs = certain.map(({ former: from, latter: to }) => `${from}>${to}`).sort();
  return { pairs, unsure: unsure.length };
};

const RENT: Short = ['01-02', 'rent', '-800', 'Landlord | Office rent'];

describe('Assignment of edits', () => {
  it.for<[string, Short]>([
    ['description', ['01-02', 'rent', '-800', 'Something else']],
    ['day', ['01-03', 'rent', '-800', 'Landlord | Office rent']],
    ['amount', ['01-02', 'rent', '-900', 'landlord, office rent']],
    ['account', ['01-02', 'office', '-800', 'Landlord - Office Rents']],
    ['code', ['01-02', 'rent', '-800', 'Landlord | Office rent', 'R-1']],
  ])('A movement is the same one after an edit of its %s', ([, edited]) => {
    const other: Short = ['02-02', 'fees', '-5', 'Bank'];
    expect(assign([RENT], [other, edited])).toEqual({ pairs: ['0>1'], unsure: 0 });
  });

  it.for<[string, Short]>([
    ['day and description', ['01-03', 'rent', '-800', 'Cleaning of windows']],
    ['day and amount', ['01-03', 'rent', '-900', 'Landlord | Office rent']],
    ['account and day', ['01-03', 'office', '-800', 'Landlord | Office rent']],
  ])('A movement with another %s is another one', ([, other]) => {
    expect(assign([RENT], [other])).toEqual({ pairs: [], unsure: 0 });
  });

  it('Of movements of one day, account and amount, the descriptions decide', () => {
    const of = (text: string): Short => ['01-05', 'sales', '19.90', text];
    expect(assign([of('Anna'), of('Bert')], [of('Bert Schulz'), of('Anna Meier')])).toEqual({
      ...{ pairs: ['0>1', '1>0'], unsure: 0 },
    });
    const orders = ['Order 1001', 'Order 1002', 'Order 1003'];
    const paid = orders.map((order) => of(`${order} (paid)`)).reverse();
    expect(assign(orders.map(of), paid)).toEqual({ pairs: ['0>2', '1>1', '2>0'], unsure: 0 });
  });

  it('What may as well be another one is not assigned', () => {
    const of = (text: string): Short => ['01-05', 'sales', '19.90', text];
    const { pairs, unsure } = assign([of('one'), of('two')], [of('x'), of('y')]);
    expect(pairs).toEqual([]);
    expect(unsure).toBeGreaterThan(0);
    const alone = assign([of('one'), of('two')], [of('x')]);
    expect([alone.pairs, alone.unsure]).toEqual([[], 2]);
  });

  it('Movements that cannot be told apart are assigned in any way', () => {
    const of = (text: string): Short => ['01-05', 'sales', '19.90', text];
    expect(assign([of('coffee'), of('coffee')], [of('tea'), of('tea')]).pairs).toHaveLength(2);
  });

  it('Twenty thousand edits are assigned in a moment, whatever they share', async () => {
    const many = (edit: (n: number) => Short) =>
      versions(Array.from({ length: 20_000 }, (_none, n) => edit(n)));
    const day = (n: number) => `${n % 365}`;
    const cases: [former: (n: number) => Short, latter: (n: number) => Short, pairs: number][] = [
      [
        (n) => [day(n), 'sales', '19.90', `Order ${n}`],
        (n) => [day(n), 'revenues', '19.90', `Order ${n}`],
        20_000,
      ],
      [(n) => ['1', 'sales', '19.90', `Order ${n}`], (n) => ['1', 'sales', '19.90', `No ${n}`], 0],
      [(n) => [day(n), 'a', `${n}`, `x${n}`], (n) => [day(n), 'a', `${-n - 1}`, `y${n}`], 0],
    ];
    for (const [former, latter, pairs] of cases) {
      const [before, after] = [many(former), many(latter)];
      let certain = -1;
      const spent = await cpuMs(() => {
        certain = assignEdits(before, after).certain.length;
      });
      expect(certain).toBe(pairs);
      expect(spent).toBeLessThan(4000);
    }
  });
});

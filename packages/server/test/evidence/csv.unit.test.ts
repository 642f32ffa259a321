import { csvRow, spreadsheetRow } from '@decision-ledger/contract/csv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { character } from '../../../proof/test/support/characters.js';
import { readCsv } from './support/read-csv.js';

const SIGNS = '=+-@＝＋－＠';
const BLANK = String.raw`[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]`;
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';
const FORMULA = new RegExp(`^(?:[\\t\\r\\n]|${BLANK}*${SIGN})`, 'u');
const LATER = new RegExp(`[;\\t\\r\\n]${BLANK}*${SIGN}`, 'u');

describe('CSV rows', () => {
  it('A CSV row with arbitrary texts is read back as it was written', () => {
    const text = fc
      .string({ unit: character })
      .filter((cell) => !FORMULA.test(cell) && !LATER.test(cell));
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
        expect(readCsv(csvRow(cells))).toEqual([cells]);
      }),
    );
  });

  it('A CSV row ends in CRLF and quotes only where needed', () => {
    expect(csvRow(['a', 1, true, null, 'b c'])).toBe('a,1,true,,b c\r\n');
    expect(csvRow(['a,b', 'say "yes"', 'two\nlines'])).toBe('"a,b","say ""yes""","two\nlines"\r\n');
  });

  it('No CSV cell begins with a sign that a spreadsheet evaluates', () => {
    const tail = fc.string({ unit: character });
    fc.assert(
      fc.property(fc.constantFrom(...`${SIGNS}\t\r\n`), tail, (begin, rest) => {
        fc.pre(!LATER.test(`${begin}${rest}`));
        const [[cell] = []] = readCsv(csvRow([`${begin}${rest}`, 'x']));
        expect(cell).toBe(`'${begin}${rest}`);
      }),
    );
  });

  it.for([
    ' ',
    '\t',
    '\r',
    '\n',
    '\u00a0',
    '\u3000',
    '\u2003',
    '\u200b',
    '\ufeff',
    '\u202e',
    '\u00ad',
  ])('A sign is guarded after the blank %j', (blank) => {
    for (const sign of SIGNS) {
      const [[cell] = []] = readCsv(csvRow([`${blank} ${blank}${sign}cmd`, 'x']));
      expect(cell?.startsWith(`'${blank}`)).toBe(true);
    }
  });

  it.for(['\t', ' ', '\u00a0', ';\t'])(
    'Guarding takes time proportional to a long run of %j',
    (blank) => {
      const time = (count: number) => {
        const text = blank.repeat(count);
        const start = process.cpuUsage();
        csvRow([text]);
        return process.cpuUsage(start).user / 1000;
      };
      time(1000);
      expect(time(400_000)).toBeLessThan(500);
    },
  );

  it.for([
    ['a;=cmd', `"a;'=cmd"`],
    ['a;;@x;-1', `"a;;'@x;'-1"`],
    ['a\t+1', `"a\t'+1"`],
    ['a\n=1', `"a\n'=1"`],
    ['\t=1', `"'\t'=1"`],
    ['a; b', '"a; b"'],
    ['a; @b', `"a; '@b"`],
    ['a;\u00a0＝b', `"a;\u00a0'＝b"`],
    [' =1', `' =1`],
    ['\u200b＋1', `'\u200b＋1`],
    ['a = b', 'a = b'],
  ] as const)(
    'The text %j is guarded and quoted as %j for programs with other separators',
    ([text, cell]) => {
      expect(csvRow([text, 'x'])).toBe(`${cell},x\r\n`);
    },
  );

  it('No CSV cell begins with a sign that is evaluated, at any separator', () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@＝＠\t\r\n;,"a \u00a0\u200b') });
    fc.assert(
      fc.property(text, (cell) => {
        expect(csvRow(['x', cell])).not.toMatch(LATER);
      }),
    );
  });

  it.for([
    ['0042', `'0042`],
    ['12345678901234567890', `'12345678901234567890`],
    ['1e5', `'1e5`],
    ['-12', `'-12`],
    ['2026-04-01', `'2026-04-01`],
    ['1/2', `'1/2`],
    ['12:30', `'12:30`],
    [' 7', `' 7`],
    ['€ 5', `'€ 5`],
    ['٤٢', `'٤٢`],
    ['=1+1', `'=1+1`],
    ['-cmd', `'-cmd`],
    ['A-42', 'A-42'],
    ['2026-04-30T13:00:00.000Z', '2026-04-30T13:00:00.000Z'],
    ['e', 'e'],
    ['', ''],
  ] as const)('The text %j is the cell %j of a spreadsheet', ([text, cell]) => {
    expect(spreadsheetRow([text, 'x'])).toBe(`${cell},x\r\n`);
  });

  it('Numbers and decimals of a spreadsheet are written as they are', () => {
    expect(spreadsheetRow([-1, 0.5, { decimal: '-2.500' }, true, null])).toBe(
      '-1,0.5,-2.500,true,\r\n',
    );
  });
});

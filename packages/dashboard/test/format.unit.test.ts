import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatAge, formatDate, formatDay, formatRange } from '#dashboard/format/dates.ts';
import { sumOf } from '#dashboard/format/decimal.ts';
import { isolated } from '#dashboard/format/locale.ts';
import {
  formatCount,
  formatFactor,
  formatMoney,
  formatShare,
  isRounded,
} from '#dashboard/format/numbers.ts';

/** Intl separates with spaces that do not break. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}

describe('Money', () => {
  it.each([
    ['84210.00', 'EUR', 'en-GB', 'EUR 84,210.00'],
    ['84210.00', 'EUR', 'de-DE', '84.210,00 EUR'],
    ['-1249.9', 'USD', 'en-US', '-USD 1,249.90'],
    ['1500', 'JPY', 'en-US', 'JPY 1,500'],
    ['1.2345', 'EUR', 'en-GB', 'EUR 1.23'],
    ['0.125', 'BHD', 'en-GB', 'BHD 0.125'],
    ['1335.93045636407523', 'JPY', 'en-GB', 'JPY 1,336'],
    ['-0.5636758', 'CHF', 'en-GB', '-CHF 0.56'],
    ['2.675', 'EUR', 'en-GB', 'EUR 2.68'],
    ['2.665', 'EUR', 'en-GB', 'EUR 2.66'],
    ['0.005', 'EUR', 'en-GB', '< EUR 0.01'],
    ['0.00500001', 'EUR', 'en-GB', 'EUR 0.01'],
    ['-0.0049', 'EUR', 'de-DE', '> -0,01 EUR'],
    ['0.4', 'JPY', 'en-GB', '< JPY 1'],
    ['0.000', 'EUR', 'en-GB', 'EUR 0.00'],
  ])('An amount of %s %s is written for %s as %s', (amount, currency, locale, text) => {
    expect(plain(formatMoney(amount, currency, { locale }))).toBe(text);
  });

  it('An amount that a float cannot hold keeps every digit of its currency', () => {
    const text = formatMoney('12345678901234567890.123456789012', 'EUR', { locale: 'en-GB' });
    expect(plain(text)).toBe('EUR 12,345,678,901,234,567,890.12');
  });

  it('An amount is known to be shown rounded if it has more digits than its currency', () => {
    const amounts = ['1.23', '1.230000', '1.2300001', '5', '0.0049'];
    expect(amounts.map((amount) => isRounded(amount, 'EUR'))).toEqual([
      ...[false, false, true, false, true],
    ]);
  });

  it('A gain has a plus where signs are shown, and zero has none', () => {
    const signed = { locale: 'en-GB', signed: true };
    expect(plain(formatMoney('5', 'EUR', signed))).toBe('+EUR 5.00');
    expect(plain(formatMoney('0', 'EUR', signed))).toBe('EUR 0.00');
  });

  it('A text that is no decimal is shown as it is', () => {
    expect(formatMoney('about 5', 'EUR')).toBe('about 5 EUR');
  });

  it('A sum of decimals is exact for any amounts', () => {
    const cents = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
    const textOf = (value: bigint) => {
      const digits = (value < 0n ? -value : value).toString().padStart(3, '0');
      return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), (amounts) => {
        const total = amounts.reduce((sum, amount) => sum + amount, 0n);
        expect(sumOf(amounts.map(textOf))).toBe(textOf(total));
      }),
    );
  });

  it('Amounts of different lengths are added to the longest', () => {
    expect(sumOf(['0.1', '0.2', '-0.003'])).toBe('0.297');
    expect(sumOf([])).toBe('0');
    expect(() => sumOf(['1e3'])).toThrow(RangeError);
  });
});

describe('Numbers and dates', () => {
  it('Counts, shares and factors are written in the locale', () => {
    expect(formatCount(48_211, 'de-DE')).toBe('48.211');
    expect(plain(formatShare(0.935, 1, 'de-DE'))).toBe('93,5 %');
    expect(plain(formatShare(0.84, 1, 'en'))).toBe('84.0%');
    expect(formatFactor(1.23456, 'en-GB')).toBe('1.23');
  });

  it('A time is written in the time zone of the reader', () => {
    const time = '2026-04-30T23:30:15.000Z';
    const options = { locale: 'en-GB', timeZone: 'Europe/Berlin' };
    expect(plain(formatDate(time, 'moment', options))).toBe('1 May 2026, 01:30');
    expect(plain(formatDate(time, 'time', options))).toBe('1 May 2026, 01:30:15');
    expect(formatDate('yesterday', 'moment')).toBe('yesterday');
  });

  it.each([
    'ar-EG',
    'ar-SA',
    'fa-IR',
    'he-IL',
    'ur-PK',
    'th-TH',
    'th-TH-u-nu-thai',
    'ja-JP',
    'mr-IN',
    'en-US',
  ])(
    'For %s, a date has the year of the API, the digits 0 to 9, and no letter or mark that turns the text',
    (locale) => {
      const written = [
        formatDate('2026-05-02T13:05:00Z', 'moment', { locale, timeZone: 'UTC' }),
        formatDay('2026-05-02', locale),
        formatRange({ from: '2026-05-01', to: '2026-05-31' }, locale),
        formatRange({ from: '2026-05-02', to: '2026-06-03' }, locale),
      ];
      for (const text of written) {
        expect(text).toContain('2026');
        expect(isolated(text)).toBe(text);
        expect(text).not.toMatch(/(?![0-9])\p{Nd}/u);
      }
      expect(formatMoney('1234.50', 'CHF', { locale })).toMatch(/1.?234[.,]50/);
      // Neither day nor month stands as a number where the other one may stand.
      expect(formatDay('2026-05-02', locale)).not.toMatch(/^\d{1,2}\D\d{1,2}\D/);
    },
  );

  it('A text that turns the direction is kept apart, and no other', () => {
    expect(isolated('refund-bot')).toBe('refund-bot');
    expect(isolated('\u202egnp.exe')).toBe('\u2068\u202egnp.exe\u2069');
    expect(isolated('مرحبا')).toBe('\u2068مرحبا\u2069');
  });

  it('A calendar day is the same in every time zone', () => {
    expect(formatDay('2026-01-01', 'en-GB')).toBe('1 Jan 2026');
  });

  it.each([
    ['2026-04-30T12:00:00Z', 'now'],
    ['2026-04-30T11:58:00Z', '2 minutes ago'],
    ['2026-04-29T11:00:00Z', 'yesterday'],
    ['2026-05-03T12:00:00Z', 'in 3 days'],
  ])('The age of %s is written as "%s"', (time, text) => {
    expect(formatAge(time, Date.parse('2026-04-30T12:00:00Z'), 'en-GB')).toBe(text);
  });
});

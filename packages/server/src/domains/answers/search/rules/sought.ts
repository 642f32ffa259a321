import { readAmount } from '@decision-ledger/amounts/read-amount';
import { isCurrency } from '@decision-ledger/contract/currency';

/** An amount that a person may mean. */
export interface SoughtAmount {
  /** Decimal text, without sign. */
  readonly magnitude: string;
  /** Null for any currency. */
  readonly currency: string | null;
}

/** The amounts that a text may name: `1,234.50`, `CHF 99`, `-80 eur`. One with two readings, `1,990`, means both. */
export function amountsIn(text: string): SoughtAmount[] {
  const read = readAmount(text.trim());
  if (read !== null) {
    return [{ magnitude: read.decimal.replace(/^-/, ''), currency: read.currency }];
  }
  return readingsOf(text.trim());
}

const TWO_READINGS = /^(?:([A-Za-z]{3})\s*)?[+−-]?(\d{1,3})[.,](\d{3})(?:\s*([A-Za-z]{3}))?$/u;

function readingsOf(text: string): SoughtAmount[] {
  const [, before, whole = '', part = '', after] = TWO_READINGS.exec(text) ?? [];
  const name = (before ?? after)?.toUpperCase() ?? null;
  if (whole === '' || (name !== null && !isCurrency(name))) return [];
  return [`${whole}${part}`, `${whole}.${part}`].map((magnitude) => ({
    magnitude,
    currency: name,
  }));
}

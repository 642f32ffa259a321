import type { ReactNode } from 'react';
import { shortened } from '../format/decimal.ts';
import { formatMoney, isRounded } from '../format/money.ts';
import classes from './money.module.css';

interface MoneyProps {
  /** A decimal, as the API writes it. */
  readonly amount: string;
  readonly currency: string;
  /** Whether a gain has a plus, and the sign a colour. */
  readonly signed?: boolean;
}

/** More characters than these may be broken, because a phone has no room for them on one line. */
const LONG = 14;

/** The parts between which a long amount may be broken: its currency, and the groups of its digits. */
const BETWEEN_PARTS = /(?<=[A-Z]{3}\s)|(?<=\d\D)(?=\d{3})/u;

function breakable(text: string): ReactNode {
  return text.split(BETWEEN_PARTS).reduce<ReactNode>(
    (before, part) => (
      <>
        {before}
        <wbr />
        <span>{part}</span>
      </>
    ),
    null,
  );
}

/** An amount with the digits of its currency; one that has more is its tooltip. */
export function Money({ amount, currency, signed = false }: MoneyProps) {
  const isLong = amount.length > LONG;
  const text = formatMoney(amount, currency, { signed });
  const sign = amount.startsWith('-') ? 'negative' : 'positive';
  return (
    <data
      value={amount}
      className={classes.money}
      title={isRounded(amount, currency) ? `${shortened(amount)} ${currency}` : undefined}
      data-long={isLong}
      data-sign={signed && Number(amount) !== 0 ? sign : 'none'}
    >
      {isLong ? breakable(text) : text}
    </data>
  );
}

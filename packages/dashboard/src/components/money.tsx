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

/** An amount with the digits of its currency; one that has more is its tooltip. */
export function Money({ amount, currency, signed = false }: MoneyProps) {
  const sign = amount.startsWith('-') ? 'negative' : 'positive';
  return (
    <data
      value={amount}
      className={classes.money}
      title={isRounded(amount, currency) ? `${shortened(amount)} ${currency}` : undefined}
      data-long={amount.length > LONG}
      data-sign={signed && Number(amount) !== 0 ? sign : 'none'}
    >
      {formatMoney(amount, currency, { signed })}
    </data>
  );
}

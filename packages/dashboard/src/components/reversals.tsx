import type { Pnl } from '@decision-ledger/client/api/analytics';
import { Alert } from '@mantine/core';
import { Icon } from './icon.tsx';
import { Money } from './values.tsx';

/** Warns while revenue is shown without much of what reversed it. */
export function Reversals({ pnl: { currency, reversals } }: { pnl: Pnl }) {
  if (reversals.warning === null) return null;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Alert color="yellow" variant="light" p="xs" icon={<Icon name="warning" />} role="alert">
      Of {money(reversals.total)} that refunds, disputes, chargebacks and fees took back in the
      whole ledger, {money(reversals.without_cause)} have no cause: revenue is shown without what
      reversed it.
    </Alert>
  );
}

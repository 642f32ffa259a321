import type { SettingsChange } from '@decision-ledger/client/api/settings-forms';
import { Button, Table, Text } from '@mantine/core';
import { Money } from '../../../components/values.tsx';
import { differenceOf } from '../../../format/decimal.ts';
import { formatCount, formatMoney } from '../../../format/numbers.ts';
import classes from './matrix.module.css';

type Effect = NonNullable<SettingsChange['dry_run']>;

interface PreviewProps {
  readonly effect: Effect;
  readonly isSaving: boolean;
  readonly onSave: () => void;
}

/** What a change of the settings would do to the exposure. */
export function Preview({ effect, isSaving, onSave }: PreviewProps) {
  const { currency_after: currency, exposure_before, exposure_after } = effect;
  const changed = effect.by_action_type.filter((row) => row.changed > 0);
  return (
    <section className={classes.preview} aria-label="Effect of the change">
      <Text size="sm">
        Estimated now, from all losses so far, the exposure of all decisions would change from
      </Text>
      <p className={classes.change}>
        <Money amount={exposure_before} currency={effect.currency_before} /> to{' '}
        <Money amount={exposure_after} currency={currency} /> (
        <Difference before={exposure_before} after={exposure_after} currency={currency} />)
      </p>
      <Text size="sm" c="dimmed">
        {formatCount(effect.changed)} of {formatCount(effect.decisions)} decisions would have
        another exposure
        {effect.examined < effect.decisions &&
          `, extrapolated from ${formatCount(effect.examined)} of them`}
        . The total above dates from the last nightly run and may differ.
      </Text>
      {changed.length > 0 && <Rows rows={changed} currency={currency} />}
      <Button size="xs" mt="sm" loading={isSaving} onClick={onSave}>
        Save the change
      </Button>
    </section>
  );
}

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
  readonly currency: string;
}

/** With a sign and without its colours: more exposure is no gain. */
function Difference({ before, after, currency }: DifferenceProps) {
  const difference = differenceOf(before, after);
  return <data value={difference}>{formatMoney(difference, currency, { signed: true })}</data>;
}

function Rows({ rows, currency }: { rows: Effect['by_action_type']; currency: string }) {
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Table.ScrollContainer minWidth={520} mt="xs">
      <Table aria-label="Effect by action type">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Action type</Table.Th>
            <Table.Th ta="end">Decisions</Table.Th>
            <Table.Th ta="end">Now</Table.Th>
            <Table.Th ta="end">With the change</Table.Th>
            <Table.Th ta="end">Difference</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ action_type, decisions, exposure_before, exposure_after }) => (
            <Table.Tr key={action_type}>
              <Table.Td>{action_type}</Table.Td>
              <Table.Td ta="end">{formatCount(decisions)}</Table.Td>
              <Table.Td ta="end">{money(exposure_before)}</Table.Td>
              <Table.Td ta="end">{money(exposure_after)}</Table.Td>
              <Table.Td ta="end">
                <Difference before={exposure_before} after={exposure_after} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { now } from '../../app/clock.ts';
import { choiceOf } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { RANGE_BASES, type RangeBasis, RangeBasisField } from '../../components/range-basis.tsx';
import classes from './evidence.module.css';
import { currentQuarter } from './export-range.ts';
import { EXPORT_TYPES, type ExportType } from './export-types.ts';

/** Those of the whole ledger; the page of an agent makes its statement. */
const TYPES = ['forensic', 'compliance', 'insurance'] as const satisfies readonly ExportType[];

/** Requests an export of whole days in UTC. */
export function ExportForm() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [type, setType] = useState<(typeof TYPES)[number]>('forensic');
  const [basis, setBasis] = useState<RangeBasis>('recorded');
  const [days, setDays] = useState(() => currentQuarter(now()));
  const { hasDecisions } = EXPORT_TYPES[type];
  const requesting = useMutation({
    mutationFn: () =>
      ledger.exports.create({
        ...{ export_type: type, start_date: days.first, end_date: days.last },
        ...(hasDecisions && { range_basis: basis }),
      }),
    onSuccess: async () => {
      notifications.show({ message: 'The export is requested' });
      await queries.invalidateQueries({ queryKey: ['exports'] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    requesting.mutate();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} data-screen-only>
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          label="Type"
          data={TYPES.map((value) => ({ value, label: EXPORT_TYPES[value].label }))}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setType(choiceOf({ value }, 'value', TYPES) ?? type)
          }
        />
        {hasDecisions && <RangeBasisField value={basis} onChange={setBasis} />}
        <TextInput
          type="date"
          size="xs"
          label="First day"
          value={days.first}
          max={days.last}
          onChange={({ currentTarget }) => setDays({ ...days, first: currentTarget.value })}
          required
          withAsterisk={false}
        />
        <TextInput
          type="date"
          size="xs"
          label="Last day"
          value={days.last}
          min={days.first}
          onChange={({ currentTarget }) => setDays({ ...days, last: currentTarget.value })}
          required
          withAsterisk={false}
        />
        <Button size="xs" type="submit" loading={requesting.isPending}>
          Create export
        </Button>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {EXPORT_TYPES[type].hint} {hasDecisions && `${RANGE_BASES[basis].hint} `}Days are those of
        UTC.
      </Text>
      {requesting.error !== null && <ErrorPanel error={requesting.error} />}
    </form>
  );
}

import { Group, TextInput } from '@mantine/core';
import type { DayRange } from '../format/range.ts';
import classes from './day-range.module.css';

interface DayRangeFieldsProps {
  readonly range: DayRange;
  readonly onChange: (range: DayRange) => void;
}

/** The first and the last day of what is shown. The page keeps them in its address. */
export function DayRangeFields({ range, onChange }: DayRangeFieldsProps) {
  const { from, to } = range;
  return (
    <Group gap="xs" grow className={classes.range}>
      <TextInput
        type="date"
        size="xs"
        label="From"
        value={from ?? ''}
        {...(to !== undefined && { max: to })}
        onChange={({ currentTarget }) => onChange({ from: currentTarget.value || undefined, to })}
      />
      <TextInput
        type="date"
        size="xs"
        label="To"
        value={to ?? ''}
        {...(from !== undefined && { min: from })}
        onChange={({ currentTarget }) => onChange({ from, to: currentTarget.value || undefined })}
      />
    </Group>
  );
}

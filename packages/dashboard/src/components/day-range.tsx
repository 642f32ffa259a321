import { Button, Group, TextInput } from '@mantine/core';
import { now } from '../app/clock.ts';
import { type DayRange, presetsAt } from '../format/dates.ts';
import classes from './day-range.module.css';

interface RangeBarProps {
  readonly range: DayRange;
  readonly onChange: (range: DayRange) => void;
}

/** The range of a statement: the usual ones with a click, any other by its days. */
export function RangeBar({ range, onChange }: RangeBarProps) {
  return (
    <Group gap="sm" align="flex-end" mb="lg" data-screen-only>
      <Group gap={4} role="group" aria-label="Range">
        {presetsAt(now()).map((preset) => {
          const isChosen = preset.range.from === range.from && preset.range.to === range.to;
          return (
            <Button
              key={preset.name}
              size="xs"
              px="xs"
              variant={isChosen ? 'light' : 'subtle'}
              color={isChosen ? 'ink' : 'gray'}
              aria-pressed={isChosen}
              onClick={() => onChange(preset.range)}
            >
              {preset.name}
            </Button>
          );
        })}
      </Group>
      <DayRangeFields range={range} onChange={onChange} />
    </Group>
  );
}

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

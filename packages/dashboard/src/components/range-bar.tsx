import { Button, Group } from '@mantine/core';
import { now } from '../app/clock.ts';
import type { DayRange } from '../format/range.ts';
import { presetsAt } from '../format/range.ts';
import { DayRangeFields } from './day-range.tsx';

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

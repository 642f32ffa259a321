import { Badge, VisuallyHidden } from '@mantine/core';
import { formatCount } from '../format/numbers.ts';

interface CountProps {
  readonly count: number;
  /** What is counted, for readers of the screen and as its tooltip. */
  readonly label: string;
  readonly color?: string;
}

/** How many wait, beside the name of where they wait. */
export function Count({ count, label, color = 'ink' }: CountProps) {
  return (
    <Badge ml="auto" size="sm" variant="light" color={color} title={label}>
      {formatCount(count)}
      <VisuallyHidden component="span"> {label}</VisuallyHidden>
    </Badge>
  );
}

import { Textarea } from '@mantine/core';

interface TextListProps {
  readonly label: string;
  readonly description: string;
  readonly placeholder?: string;
  /** One entry on each line. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A list of short texts, one on each line. */
export function TextList({ onChange, ...rest }: TextListProps) {
  return (
    <Textarea
      {...rest}
      size="xs"
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The entries of such a list. Empty lines do not count. */
export const entriesOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

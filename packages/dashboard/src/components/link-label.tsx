import type { Link } from '@decision-ledger/client/api/link';
import { Badge } from '@mantine/core';

type Label = NonNullable<Link['label']>;

const LABELS: Readonly<Record<Label, { text: string; color: string; title: string }>> = {
  confirmed: {
    text: 'Confirmed',
    color: 'green.9',
    title: 'A person created or confirmed the link',
  },
  matched: {
    text: 'Matched',
    color: 'ink.8',
    title: 'The model suggests the link with strong evidence',
  },
  guessed: {
    text: 'Guessed',
    color: 'gray.7',
    title: 'The model suggests the link with weak evidence; figures leave it out',
  },
};

/** How certain it is that a decision caused an event. */
export function LinkLabel({ label }: { label: Link['label'] }) {
  if (label === null) return null;
  const { text, color, title } = LABELS[label];
  const variant = label === 'guessed' ? 'outline' : 'light';
  return (
    <Badge variant={variant} color={color} title={title} tt="none" fw={500}>
      {text}
    </Badge>
  );
}

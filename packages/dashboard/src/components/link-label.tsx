import type { Link } from '@decision-ledger/client/api/link';
import classes from './link-label.module.css';

type Label = NonNullable<Link['label']>;

const LABELS: Readonly<Record<Label, { readonly text: string; readonly title: string }>> = {
  confirmed: { text: 'Confirmed', title: 'A person created or confirmed the link' },
  matched: { text: 'Matched', title: 'The model suggests the link, with strong evidence' },
  guessed: {
    text: 'Guessed',
    title: 'The model suggests the link, with weak evidence; figures leave it out',
  },
};

/** How certain it is that a decision caused an event. */
export function LinkLabel({ label }: { label: Link['label'] }) {
  if (label === null) return null;
  const { text, title } = LABELS[label];
  return (
    <span className={classes.label} data-label={label} title={title}>
      {text}
    </span>
  );
}

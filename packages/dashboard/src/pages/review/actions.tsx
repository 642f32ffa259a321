import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import classes from './actions.module.css';

/** What can be done now; null if it cannot. */
export interface Actions {
  readonly confirm: (() => void) | null;
  readonly reject: (() => void) | null;
  readonly none: (() => void) | null;
  readonly skip: (() => void) | null;
  readonly undo: (() => void) | null;
}

interface ActionBarProps {
  readonly actions: Actions;
  readonly isPending: boolean;
}

const BUTTONS = [
  { name: 'confirm', key: 'C', label: 'Confirm' },
  { name: 'reject', key: 'R', label: 'Reject' },
  { name: 'none', key: 'N', label: 'None of these' },
  { name: 'skip', key: 'S', label: 'Skip' },
  { name: 'undo', key: 'U', label: 'Undo' },
] as const satisfies readonly { name: keyof Actions; key: string; label: string }[];

/** The answers, as buttons and as keys. */
export function ActionBar({ actions, isPending }: ActionBarProps) {
  useHotkeys(BUTTONS.map(({ name, key }) => [key, () => actions[name]?.()]));
  return (
    <div className={classes.bar} role="toolbar" aria-label="Answer" aria-busy={isPending}>
      {BUTTONS.map(({ name, key, label }) => (
        <Button
          key={name}
          size="xs"
          variant={name === 'confirm' ? 'filled' : 'default'}
          // A disabled button would lose the focus of the keyboard while an answer is sent.
          aria-disabled={actions[name] === null || isPending}
          {...(actions[name] === null && { 'data-disabled': true })}
          aria-keyshortcuts={key}
          onClick={() => actions[name]?.()}
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden="true">
              {key}
            </Kbd>
          }
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

const HELP = [
  ['J', 'next event'],
  ['K', 'previous event'],
  ['1–9', 'choose a candidate'],
  ['C', 'confirm it as the cause'],
  ['R', 'reject its suggestion'],
  ['N', 'none of these'],
  ['S', 'skip: nobody can tell'],
  ['U', 'undo the last answer'],
] as const;

/** The keys, for those who do not know them yet. */
export function KeyHelp() {
  return (
    <ul className={classes.help} aria-label="Keys" data-screen-only>
      {HELP.map(([key, text]) => (
        <li key={key}>
          <Kbd size="xs">{key}</Kbd> {text}
        </li>
      ))}
    </ul>
  );
}

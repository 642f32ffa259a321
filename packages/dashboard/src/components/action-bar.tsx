import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import classes from './action-bar.module.css';

interface Answer<Name extends string> {
  readonly name: Name;
  readonly key: string;
  readonly label: string;
}

interface ActionBarProps<Name extends string> {
  /** The usual answer first. */
  readonly answers: readonly Answer<Name>[];
  /** What can be done now; null if it cannot. */
  readonly actions: Readonly<Record<Name, (() => void) | null>>;
  readonly isPending: boolean;
}

/** The answers, as buttons and as keys. */
export function ActionBar<Name extends string>({
  answers,
  actions,
  isPending,
}: ActionBarProps<Name>) {
  useHotkeys(answers.map(({ name, key }) => [key, () => actions[name]?.()]));
  return (
    <div className={classes.bar} role="toolbar" aria-label="Answer" aria-busy={isPending}>
      {answers.map(({ name, key, label }, at) => (
        <Button
          key={name}
          size="xs"
          variant={at === 0 ? 'filled' : 'default'}
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

/** The keys, for those who do not know them yet: each with what it does. */
export function KeyHelp({ keys }: { keys: readonly (readonly [string, string])[] }) {
  return (
    <ul className={classes.help} aria-label="Keys" data-screen-only>
      {keys.map(([key, text]) => (
        <li key={key}>
          <Kbd size="xs">{key}</Kbd> {text}
        </li>
      ))}
    </ul>
  );
}

import { ActionIcon, CopyButton } from '@mantine/core';
import classes from './hash.module.css';
import { Icon } from './icon.tsx';

interface HashProps {
  readonly value: string;
  /** What it is, for the button that copies it. */
  readonly label: string;
  /** Whether all of it is shown. */
  readonly full?: boolean;
}

/** A hash or an id, with a button that copies all of it. */
export function Hash({ value, label, full = false }: HashProps) {
  const isShort = full || value.length <= 20;
  return (
    <span className={classes.hash}>
      <code className={classes.text} data-full={full} title={value}>
        {isShort ? value : `${value.slice(0, 8)}…${value.slice(-6)}`}
      </code>
      <CopyButton value={value} timeout={1500}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
            data-screen-only
          >
            <Icon name={copied ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        )}
      </CopyButton>
    </span>
  );
}

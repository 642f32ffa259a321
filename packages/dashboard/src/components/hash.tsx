import { useClipboard } from '@mantine/hooks';
import classes from './hash.module.css';
import { Icon } from './icon.tsx';

interface HashProps {
  readonly value: string;
  /** What it is, for the button that copies it. */
  readonly label: string;
  /** Whether all of it is shown. */
  readonly full?: boolean;
}

/** A hash or an id, with a button that copies all of it. Plain elements, because lists draw many of them. */
export function Hash({ value, label, full = false }: HashProps) {
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const isShort = full || value.length <= 20;
  return (
    <span className={classes.hash}>
      <code className={classes.text} data-full={full} title={value}>
        {isShort ? value : `${value.slice(0, 8)}…${value.slice(-6)}`}
      </code>
      <button
        type="button"
        className={classes.copy}
        onClick={() => copy(value)}
        aria-label={copied ? `Copied ${label}` : `Copy ${label}`}
        data-screen-only
      >
        <Icon name={copied ? 'check' : 'copy'} size={14} />
      </button>
    </span>
  );
}

import { Button, Code, CopyButton } from '@mantine/core';
import classes from './command.module.css';
import { Icon } from './icon.tsx';

/** A command line, all of which can be read, with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.command}>
      <Code block className={classes.code} tabIndex={0} aria-label={label}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-xs"
            variant="default"
            onClick={copy}
            aria-label={`${copied ? 'Copied' : 'Copy'}: ${label}`}
            leftSection={<Icon name={copied ? 'check' : 'copy'} size={12} />}
            data-screen-only
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

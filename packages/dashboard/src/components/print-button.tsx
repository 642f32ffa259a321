import { Button } from '@mantine/core';
import { useIsComplete } from './complete.tsx';
import { Icon } from './icon.tsx';

/** Prints the page as a statement, once everything on it is known. */
export function PrintButton() {
  const isComplete = useIsComplete();
  return (
    <Button
      variant="default"
      size="xs"
      disabled={!isComplete}
      leftSection={<Icon name="print" />}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}

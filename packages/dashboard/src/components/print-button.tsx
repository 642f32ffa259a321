import { Button } from '@mantine/core';
import { Icon } from './icon.tsx';

/** Prints the page as a statement: without the frame, with a heading that says whose it is. */
export function PrintButton() {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon name="print" />}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}

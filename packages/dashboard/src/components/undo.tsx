import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';

interface UndoProps {
  /** What was done. */
  readonly children: string;
  readonly isPending: boolean;
  readonly onUndo: () => void;
}

/** Says what was just done, and takes it back. It has the focus, because what was pressed may be gone. */
export function Undo({ children, isPending, onUndo }: UndoProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Group gap="xs" mt="xs" role="status" data-screen-only>
      <Text size="sm">{children}</Text>
      <Button ref={button} size="compact-sm" variant="default" loading={isPending} onClick={onUndo}>
        Undo
      </Button>
    </Group>
  );
}

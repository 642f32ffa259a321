import { SegmentedControl } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useSession } from '../session/context.ts';
import type { Mode } from '../session/state.ts';

const MODES = [
  { value: 'live', label: 'Live' },
  { value: 'test', label: 'Test' },
] as const satisfies readonly { value: Mode; label: string }[];

/** Switches to the session of the other mode, or asks to sign in for it. */
export function ModeSwitch() {
  const { sessions } = useRouter().options.context;
  const { mode } = useSession();
  const navigate = useNavigate();
  const change = (wanted: Mode) => {
    if (wanted === mode) return;
    if (sessions.state.sessions[wanted] === undefined) {
      void navigate({ to: '/sign-in', search: { mode: wanted } });
      return;
    }
    // Ids of one mode mean nothing in the other.
    void navigate({ to: '/' }).then(() => sessions.show(wanted));
  };
  return (
    <SegmentedControl
      size="xs"
      transitionDuration={0}
      aria-label="Mode"
      data={[...MODES]}
      value={mode}
      onChange={change}
      color={mode === 'test' ? '#b54708' : 'ink'}
    />
  );
}

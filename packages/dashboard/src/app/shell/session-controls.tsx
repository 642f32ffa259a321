import { ActionIcon, Menu, SegmentedControl, Text, useMantineColorScheme } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { Icon, type IconName } from '../../components/icon.tsx';
import { formatDate } from '../../format/dates.ts';
import { SERVICE } from '../address.ts';
import { ledgerFor, useMe, useSession } from '../session/context.tsx';
import type { Mode, SessionStore } from '../session/store.ts';

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

const SCHEMES = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System default', icon: 'system' },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

export function AccountMenu() {
  const { sessions } = useRouter().options.context;
  const session = useSession();
  const me = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Account and appearance">
          <Icon name="person" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="var(--mantine-color-text)" fw={600} truncate>
            {session.name}
          </Text>
          {me !== undefined && <div>Key: {me.key.name}</div>}
          <div>Signed in until {formatDate(session.expiresAt, 'moment')}</div>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            leftSection={<Icon name={icon} />}
            rightSection={colorScheme === value ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          component="a"
          href={`${SERVICE}/docs/`}
          target="_blank"
          leftSection={<Icon name="book" />}
        >
          Documentation
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="lock" />} onClick={() => signOut(sessions)}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Revokes the sessions of both modes. They are forgotten here even if the service cannot be reached. */
function signOut(sessions: SessionStore): void {
  for (const session of Object.values(sessions.state.sessions)) {
    void ledgerFor(session.token)
      .sessions.revoke(session.sessionId)
      .catch(() => undefined);
    sessions.end(session, 'signed-out');
  }
}

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useEffect } from 'react';
import { useIsOnPaper } from '../charts/paper.ts';
import type { AppRouter } from './router.tsx';
import type { SessionStore } from './session/store.ts';
import { theme, variables } from './theme.ts';

/** The nonce of the response, which the policy of the page requires of each style element. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

export function App({ sessions, router }: { sessions: SessionStore; router: AppRouter }) {
  // A session that was opened or ended decides which page may be shown.
  useEffect(() => sessions.subscribe(() => void router.invalidate()), [sessions, router]);
  // Paper is white, whatever the screen is.
  const isOnPaper = useIsOnPaper();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(isOnPaper && { forceColorScheme: 'light' as const })}
      getStyleNonce={() => nonce}
    >
      <Notifications position="bottom-right" limit={3} />
      <RouterProvider router={router} />
    </MantineProvider>
  );
}

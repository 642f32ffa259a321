import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { now } from './app/clock.ts';
import { type AppRouter, createAppRouter } from './app/router.tsx';
import { SessionStore } from './app/session/store.ts';
import { theme, variables } from './app/theme.ts';
import { useIsOnPaper } from './charts/paper.ts';

/** The nonce of the response, which the policy of the page requires of each style element. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
setNonce(nonce);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element with the id root');
// Browsers look for the icon again when the address changes, and its link is relative.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
  icon.setAttribute('href', icon.href);
}
const sessions = new SessionStore(window.sessionStorage, now());
createRoot(root).render(<App sessions={sessions} router={createAppRouter(sessions)} />);

function App({ sessions, router }: { sessions: SessionStore; router: AppRouter }) {
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

import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { now } from './app/clock.ts';
import { createAppRouter } from './app/router.tsx';
import { SessionStore } from './app/session/store.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element with the id root');
// Browsers look for the icon again when the address changes, and its link is relative.
for (const icon of document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')) {
  icon.setAttribute('href', icon.href);
}
const sessions = new SessionStore(window.sessionStorage, now());
createRoot(root).render(<App sessions={sessions} router={createAppRouter(sessions)} />);

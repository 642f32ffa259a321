import { PAGES } from '../../../server/test/support/dashboard-pages.js';

/** Parts of a page that are pages of their own. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '/money': ['events', 'links', 'unattributed', 'unconverted', 'connections'].map(
    (tab) => `tab=${tab}`,
  ),
  '/settings': [
    ...['attribution', 'thresholds', 'currencies', 'recording', 'spans'],
    ...['keys', 'sessions', 'webhooks', 'failed-jobs'],
  ].map((section) => `section=${section}`),
};

/** The addresses of all pages that follow the sign-in, for an agent and a decision of the ledger. */
export function pathsOf(agentId: string, decisionId: string): string[] {
  const ids: Readonly<Record<string, string>> = {
    '/agents/:id': `/agents/${encodeURIComponent(agentId)}`,
    '/decisions/:id': `/decisions/${decisionId}`,
  };
  return PAGES.filter((path) => path !== '/sign-in').flatMap(
    (path) => PARTS[path]?.map((part) => `${path}?${part}`) ?? [ids[path] ?? path],
  );
}

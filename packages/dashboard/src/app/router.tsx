import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { PREFIX } from './address.ts';
import { ErrorPage, loaded, NotFoundPage, PageSkeleton } from './page-fallbacks.tsx';
import {
  readActivity,
  readAgent,
  readAgents,
  readDecisionFilters,
  readExposure,
  readMoney,
  readReview,
  readSettings,
  readSignIn,
} from './search-params.ts';
import type { SessionStore } from './session/store.ts';
import { Shell } from './shell/shell.tsx';

interface RouterContext {
  readonly sessions: SessionStore;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSignIn,
  component: lazyRouteComponent(() => loaded(import('../pages/sign-in/page.tsx')), 'SignInPage'),
});

/** Around every page that needs a session. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: ({ context, location }) => {
    if (context.sessions.current !== undefined) return;
    const back = location.href === '/' ? {} : { back: location.href };
    throw redirect({ to: '/sign-in', search: back, replace: true });
  },
});

const getParentRoute = () => shell;

const home = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(() => loaded(import('../pages/home/page.tsx')), 'HomePage'),
});

const agents = createRoute({
  getParentRoute,
  path: '/agents',
  validateSearch: readAgents,
  component: lazyRouteComponent(() => loaded(import('../pages/agents/page.tsx')), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute,
  path: '/agents/$agentId',
  validateSearch: readAgent,
  component: lazyRouteComponent(() => loaded(import('../pages/agent/page.tsx')), 'AgentPage'),
});

const decisions = createRoute({
  getParentRoute,
  path: '/decisions',
  validateSearch: readDecisionFilters,
  component: lazyRouteComponent(
    () => loaded(import('../pages/decisions/page.tsx')),
    'DecisionsPage',
  ),
});

const decision = createRoute({
  getParentRoute,
  path: '/decisions/$decisionId',
  component: lazyRouteComponent(() => loaded(import('../pages/decision/page.tsx')), 'DecisionPage'),
});

const review = createRoute({
  getParentRoute,
  path: '/review',
  validateSearch: readReview,
  component: lazyRouteComponent(() => loaded(import('../pages/review/page.tsx')), 'ReviewPage'),
});

const money = createRoute({
  getParentRoute,
  path: '/money',
  validateSearch: readMoney,
  component: lazyRouteComponent(() => loaded(import('../pages/money/page.tsx')), 'MoneyPage'),
});

const exposure = createRoute({
  getParentRoute,
  path: '/exposure',
  validateSearch: readExposure,
  component: lazyRouteComponent(() => loaded(import('../pages/exposure/page.tsx')), 'ExposurePage'),
});

const evidence = createRoute({
  getParentRoute,
  path: '/evidence',
  component: lazyRouteComponent(() => loaded(import('../pages/evidence/page.tsx')), 'EvidencePage'),
});

const activity = createRoute({
  getParentRoute,
  path: '/activity',
  validateSearch: readActivity,
  component: lazyRouteComponent(() => loaded(import('../pages/activity/page.tsx')), 'ActivityPage'),
});

const settings = createRoute({
  getParentRoute,
  path: '/settings',
  validateSearch: readSettings,
  component: lazyRouteComponent(() => loaded(import('../pages/settings/page.tsx')), 'SettingsPage'),
});

const routeTree = root.addChildren([
  signIn,
  shell.addChildren([
    home,
    agents,
    agent,
    decisions,
    decision,
    review,
    money,
    exposure,
    evidence,
    activity,
    settings,
  ]),
]);

export function createAppRouter(sessions: SessionStore) {
  return createRouter({
    routeTree,
    basepath: PREFIX === '' ? '/' : PREFIX,
    context: { sessions },
    defaultPreload: 'intent',
    // Pages load their own data.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 150,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

import { AppShell, Burger, Button, Group, Kbd, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { Icon } from '../../components/icon.tsx';
import { CompleteOnPaper } from '../../components/page.tsx';
import { LiveProvider } from '../live.tsx';
import { SessionProvider, useMe, useSession } from '../session/context.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { Footer, Navigation } from './navbar.tsx';
import { AccountMenu, ModeSwitch } from './session-controls.tsx';
import classes from './shell.module.css';

/** What surrounds every page of a signed-in person. */
export function Shell() {
  const { sessions } = useRouter().options.context;
  return (
    <SessionProvider store={sessions}>
      <LiveProvider>
        <Frame />
      </LiveProvider>
    </SessionProvider>
  );
}

function Frame() {
  const [isOpen, menu] = useDisclosure(false);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  useFocusOnNavigation();
  // A choice in the menu of a phone closes it.
  useEffect(() => {
    if (pathname !== '') menu.close();
  }, [pathname, menu.close]);
  const isTest = useSession().mode === 'test';
  return (
    <AppShell
      header={{ height: isTest ? 84 : 52 }}
      navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
      transitionDuration={0}
      classNames={{
        header: classes.header ?? '',
        navbar: classes.navbar ?? '',
        main: classes.main ?? '',
      }}
    >
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        {isTest && <TestBanner />}
        <Group h={52} px="md" wrap="nowrap" gap="sm">
          <Burger
            opened={isOpen}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={isOpen ? 'Close the menu' : 'Open the menu'}
          />
          <Brand />
          <Group ml="auto" gap="xs" wrap="nowrap">
            <SearchButton />
            <ModeSwitch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <Navigation />
        <Footer />
      </AppShell.Navbar>
      <AppShell.Main>
        <ConnectionNotice />
        <div id="main" tabIndex={-1} className={classes.content}>
          <CompleteOnPaper>
            <Outlet />
          </CompleteOnPaper>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

function TestBanner() {
  return (
    <div className={classes.test} role="status">
      <strong>Test mode</strong>
      <span className={classes.testMore}>Everything on this page is test data.</span>
    </div>
  );
}

function Brand() {
  const me = useMe();
  return (
    <Link to="/" className={classes.brand}>
      <Text component="span" fw={600} visibleFrom="xs">
        Decision Ledger
      </Text>
      {me !== undefined && (
        <Text component="span" c="dimmed" size="sm" truncate visibleFrom="md">
          {me.organisation.name}
        </Text>
      )}
    </Link>
  );
}

/** Moves the focus to the new page, where a browser would have loaded it. */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return;
        document.getElementById('main')?.focus({ preventScroll: true });
      }),
    [router],
  );
}

const SearchDialog = lazy(async () => ({
  default: (await import('./search-dialog.tsx')).SearchDialog,
}));

/** Opens the search, as Ctrl-K and ⌘K do everywhere. */
function SearchButton() {
  const [isOpen, dialog] = useDisclosure(false);
  useHotkeys([['mod+K', dialog.open]], []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        h={30}
        c="dimmed"
        className={classes.button}
        leftSection={<Icon name="search" />}
        rightSection={<Kbd size="xs">Ctrl K</Kbd>}
        onClick={dialog.open}
        visibleFrom="sm"
      >
        Search
      </Button>
      <Button variant="default" size="xs" h={30} px={7} onClick={dialog.open} hiddenFrom="sm">
        <Icon name="search" />
        <VisuallyHidden>Search</VisuallyHidden>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

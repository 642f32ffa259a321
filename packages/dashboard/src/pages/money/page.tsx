import { Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { TABS, type Tab } from '../../app/page-searches.ts';
import { Page, PageGate } from '../../components/page.tsx';
import { Connections } from './connections.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { Events } from './events.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Links } from './links.tsx';
import { FILTERS, filtersOf, type TabProps } from './queries.ts';
import { Unattributed } from './unattributed.tsx';
import { Unconverted } from './unconverted.tsx';

const route = getRouteApi('/shell/money');

interface TabDescription {
  readonly label: string;
  readonly content: ComponentType<TabProps>;
}

const CONTENTS: Readonly<Record<Tab, TabDescription>> = {
  events: { label: 'Events', content: Events },
  links: { label: 'Links', content: Links },
  unattributed: { label: 'Unattributed', content: Unattributed },
  unconverted: { label: 'Unconverted', content: Unconverted },
  connections: { label: 'Connections', content: Connections },
};

export function MoneyPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { tab = 'events', event } = search;
  const { content: Content } = CONTENTS[tab];
  const filters = filtersOf(tab, search);
  const open = (name: string | null) => {
    const wanted = TABS.find((one) => one === name);
    if (wanted !== undefined) void navigate({ to: '/money', search: { tab: wanted } });
  };
  return (
    <Page title="Money" {...(FILTERS[tab].length > 0 && { scope: { ...filters } })}>
      <PageGate permission="read">
        <Tabs value={tab} onChange={open} keepMounted={false}>
          <Tabs.List mb="md">
            {TABS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {CONTENTS[name].label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            <FilterBar tab={tab} filters={filters} />
            <Content filters={filters} />
          </Tabs.Panel>
        </Tabs>
        {event !== undefined && <EventDrawer id={event} />}
      </PageGate>
    </Page>
  );
}

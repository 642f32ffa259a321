import { Group, Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { TABS, type Tab } from '../../app/search-params.ts';
import { OpenDoubts } from '../../components/open-doubts.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { Connections } from './connections.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { Events } from './events.tsx';
import { MoneyFilterBar } from './filters.tsx';
import { Links } from './links.tsx';
import { FILTERS, filtersOf, type TabProps } from './queries.ts';
import { SameMoney } from './same-money/tab.tsx';
import { Unattributed, Unconverted } from './uncounted.tsx';

const route = getRouteApi('/shell/money');

interface TabDescription {
  readonly label: string;
  readonly content: ComponentType<TabProps>;
  readonly badge?: ComponentType;
}

const CONTENTS: Readonly<Record<Tab, TabDescription>> = {
  events: { label: 'Events', content: Events },
  'same-money': { label: 'Same money?', content: SameMoney, badge: OpenDoubts },
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
            {TABS.map((name) => {
              const { label, badge: Count } = CONTENTS[name];
              return (
                <Tabs.Tab key={name} value={name}>
                  <Group component="span" gap={6} wrap="nowrap">
                    {label}
                    {Count !== undefined && <Count />}
                  </Group>
                </Tabs.Tab>
              );
            })}
          </Tabs.List>
          <Tabs.Panel value={tab}>
            <MoneyFilterBar tab={tab} filters={filters} />
            <Content filters={filters} />
          </Tabs.Panel>
        </Tabs>
        {event !== undefined && <EventDrawer id={event} />}
      </PageGate>
    </Page>
  );
}

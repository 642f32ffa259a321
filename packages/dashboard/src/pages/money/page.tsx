import { NativeSelect, Tabs, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type MoneySearch, readMoney, TABS, type Tab } from '../../app/search-params.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { Connections } from './connections.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { Events } from './events.tsx';
import { Links } from './links.tsx';
import { FILTERS, filtersOf, isFiltered, type TabProps } from './queries.ts';
import { Unattributed, Unconverted } from './uncounted.tsx';

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
            <MoneyFilterBar tab={tab} filters={filters} />
            <Content filters={filters} />
          </Tabs.Panel>
        </Tabs>
        {event !== undefined && <EventDrawer id={event} />}
      </PageGate>
    </Page>
  );
}

interface FilterBarProps {
  readonly tab: Tab;
  readonly filters: MoneySearch;
}

const TEXTS = [
  ['source', 'Source', 'Any'],
  ['type', 'Type', 'Any'],
  ['reference', 'Reference', 'INV-1041'],
  ['decision', 'Decision', 'dec_…'],
  ['currency', 'Currency', 'Any'],
] as const;

const STATUS_CHOICES = [
  { value: '', label: 'Any' },
  { value: 'CONFIRMED', label: 'Made by people' },
  { value: 'ML_INFERRED', label: 'Suggested, confirmed' },
  { value: 'ML_SUGGESTED', label: 'Suggested, open' },
  { value: 'REJECTED', label: 'Suggested, rejected' },
];

/** The filters of the list in view. */
function MoneyFilterBar({ tab, filters }: FilterBarProps) {
  const navigate = useNavigate();
  const names: readonly string[] = FILTERS[tab];
  if (names.length === 0) return null;
  const apply = (wanted: MoneySearch) =>
    void navigate({ to: '/money', search: { ...readMoney({ ...wanted }), tab } });
  return (
    <FilterBar
      page={`money.${tab}`}
      filters={filters}
      isFiltered={isFiltered(tab, filters)}
      read={readMoney}
      onApply={apply}
    >
      {(draft, change) => (
        <>
          {names.includes('status') && (
            <NativeSelect
              size="xs"
              label="Status"
              data={STATUS_CHOICES}
              value={draft.status ?? ''}
              onChange={({ currentTarget }) =>
                change({ status: readMoney({ status: currentTarget.value }).status })
              }
            />
          )}
          {TEXTS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
            <TextInput
              key={name}
              {...{ size: 'xs', label, placeholder }}
              value={draft[name] ?? ''}
              onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
            />
          ))}
          {names.includes('from') && <DayRangeFields range={draft} onChange={change} />}
        </>
      )}
    </FilterBar>
  );
}

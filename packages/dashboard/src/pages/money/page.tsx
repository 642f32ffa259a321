import { Button, Group, NativeSelect, Tabs, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ComponentType, type FormEvent, useState } from 'react';
import { type MoneySearch, readMoney, TABS, type Tab } from '../../app/search-params.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { Connections } from './connections.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { Events } from './events.tsx';
import classes from './filter-bar.module.css';
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
            <FilterBar tab={tab} filters={filters} />
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

/** The filters of the list in view. The address has them. */
function FilterBar({ tab, filters }: FilterBarProps) {
  if (FILTERS[tab].length === 0) return null;
  return <Bar tab={tab} filters={filters} />;
}

function Bar({ tab, filters }: FilterBarProps) {
  const navigate = useNavigate();
  const apply = (wanted: MoneySearch) =>
    void navigate({ to: '/money', search: { ...readMoney({ ...wanted }), tab } });
  return (
    <div className={classes.bar} data-screen-only>
      <Fields key={JSON.stringify([tab, filters])} {...{ tab, filters }} onApply={apply} />
      <SavedFilters
        key={tab}
        page={`money.${tab}`}
        current={filters}
        canSave={isFiltered(tab, filters)}
        onChoose={(search) => apply(readMoney(search))}
      />
    </div>
  );
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

interface FieldsProps extends FilterBarProps {
  readonly onApply: (wanted: MoneySearch) => void;
}

function Fields({ tab, filters, onApply }: FieldsProps) {
  const [draft, setDraft] = useState(filters);
  const names: readonly string[] = FILTERS[tab];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onApply(draft);
  };
  return (
    <form onSubmit={onSubmit} className={classes.fields} aria-label="Filters">
      {names.includes('status') && (
        <NativeSelect
          size="xs"
          label="Status"
          data={STATUS_CHOICES}
          value={draft.status ?? ''}
          onChange={({ currentTarget }) =>
            setDraft({ ...draft, status: readMoney({ status: currentTarget.value }).status })
          }
        />
      )}
      {TEXTS.filter(([name]) => names.includes(name)).map(([name, label, placeholder]) => (
        <TextInput
          key={name}
          {...{ size: 'xs', label, placeholder }}
          value={draft[name] ?? ''}
          onChange={({ currentTarget }) => setDraft({ ...draft, [name]: currentTarget.value })}
        />
      ))}
      {names.includes('from') && (
        <DayRangeFields range={draft} onChange={(range) => setDraft({ ...draft, ...range })} />
      )}
      <Group gap="xs">
        <Button type="submit" size="xs">
          Apply
        </Button>
        {isFiltered(tab, filters) && (
          <Button size="xs" variant="default" onClick={() => onApply({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

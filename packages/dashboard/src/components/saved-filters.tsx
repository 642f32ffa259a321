import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useMe } from '../app/session/context.tsx';
import { Icon } from './icon.tsx';

interface SavedFiltersProps {
  /** The name of the page that the filters belong to. */
  readonly page: string;
  readonly current: object;
  readonly canSave: boolean;
  readonly onChoose: (search: SavedFilter['search']) => void;
}

/** Filters that this browser keeps under a name. */
export function SavedFilters(props: SavedFiltersProps) {
  const ledgerId = useMe()?.ledger_id;
  return ledgerId === undefined ? null : <Saved key={ledgerId} ledgerId={ledgerId} {...props} />;
}

function Saved({
  ledgerId,
  page,
  current,
  canSave,
  onChoose,
}: SavedFiltersProps & { ledgerId: string }) {
  const [filters, setFilters] = useState(() => readSaved(window.localStorage, ledgerId, page));
  const keep = (changed: SavedFilter[]) => {
    writeSaved(window.localStorage, ledgerId, page, changed);
    setFilters(changed);
  };
  const without = (name: string) => filters.filter((filter) => filter.name !== name);
  return (
    <Group gap="xs">
      {filters.length > 0 && (
        <SavedList filters={filters} onChoose={onChoose} onRemove={(name) => keep(without(name))} />
      )}
      {canSave && (
        <SaveButton onSave={(name) => keep([...without(name), { name, search: { ...current } }])} />
      )}
    </Group>
  );
}

interface SavedListProps {
  readonly filters: readonly SavedFilter[];
  readonly onChoose: (search: SavedFilter['search']) => void;
  readonly onRemove: (name: string) => void;
}

function SavedList({ filters, onChoose, onRemove }: SavedListProps) {
  const [isOpen, list] = useDisclosure(false);
  const choose = (search: SavedFilter['search']) => {
    list.close();
    onChoose(search);
  };
  return (
    <Popover opened={isOpen} onChange={list.toggle} trapFocus position="bottom-end">
      <Popover.Target>
        <Button size="xs" variant="default" onClick={list.toggle}>
          Saved filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={6}>
        {filters.map(({ name, search }) => (
          <Group key={name} gap={4} wrap="nowrap" justify="space-between">
            <Button size="xs" variant="subtle" color="gray" onClick={() => choose(search)}>
              {name}
            </Button>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove the filter ${name}`}
              onClick={() => onRemove(name)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </Group>
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveButton({ onSave }: { onSave: (name: string) => void }) {
  const [isOpen, dialog] = useDisclosure(false);
  const [name, setName] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
    setName('');
    dialog.close();
  };
  return (
    <Popover opened={isOpen} onChange={dialog.toggle} trapFocus position="bottom-end">
      <Popover.Target>
        <Button size="xs" variant="default" onClick={dialog.toggle}>
          Save filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={onSubmit}>
          <Group gap="xs" align="flex-end">
            <TextInput
              size="xs"
              label="Name of the filter"
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              required
              maxLength={60}
            />
            <Button size="xs" type="submit">
              Save
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A filter that a person named. */
interface SavedFilter {
  readonly name: string;
  /** The search parameters of the page. */
  readonly search: Readonly<Record<string, unknown>>;
}

/** The filters of a page, which this browser keeps for each ledger. */
function readSaved(storage: Storage, ledgerId: string, page: string): SavedFilter[] {
  try {
    const value: unknown = JSON.parse(storage.getItem(nameOf(ledgerId, page)) ?? '[]');
    return Array.isArray(value) ? value.filter(isSaved) : [];
  } catch {
    return [];
  }
}

function writeSaved(
  storage: Storage,
  ledgerId: string,
  page: string,
  filters: readonly SavedFilter[],
): void {
  storage.setItem(nameOf(ledgerId, page), JSON.stringify(filters));
}

function nameOf(ledgerId: string, page: string): string {
  return `decision-ledger.filters.${ledgerId}.${page}`;
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const search: unknown = Reflect.get(value, 'search');
  return (
    typeof Reflect.get(value, 'name') === 'string' && typeof search === 'object' && search !== null
  );
}

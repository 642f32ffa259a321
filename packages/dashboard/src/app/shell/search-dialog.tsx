import type { AgentPage } from '@decision-ledger/client/api/analytics';
import type { SearchHit } from '@decision-ledger/client/api/search';
import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type UseNavigateResult, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { formatDate } from '../../format/dates.ts';
import { isolated } from '../../format/locale.ts';
import { formatMoney } from '../../format/numbers.ts';
import { useCan, useLedger } from '../session/context.tsx';
import { ENTRIES } from './navbar.tsx';
import classes from './search-dialog.module.css';

const PAUSE_MS = 180;

/** Finds a page, an agent, a record by id or metadata value, and events by amount or words of their texts. */
export function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [wanted] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [selected, setSelected] = useState(0);
  const { targets, isSearching, error } = useTargets(wanted);
  const navigate = useNavigate();
  const at = Math.min(selected, targets.length - 1);
  const go = (target: Target | undefined) => {
    if (target === undefined) return;
    onClose();
    void target.open(navigate);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(targets[at]);
    else if (step !== undefined) setSelected((at + step + targets.length) % targets.length);
    else return;
    event.preventDefault();
  };
  return (
    <Modal.Root opened onClose={onClose} size="lg">
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <TextInput
          data-autofocus
          variant="unstyled"
          size="md"
          px="sm"
          className={classes.input ?? ''}
          leftSection={<Icon name="search" />}
          placeholder="An id, agent, amount, customer, reference or description"
          aria-label="Search"
          role="combobox"
          aria-expanded
          aria-controls="search-targets"
          aria-activedescendant={targets[at] === undefined ? '' : `search-target-${at}`}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            setSelected(0);
          }}
          onKeyDown={onKeyDown}
        />
        <Targets targets={targets} at={at} onSelect={setSelected} onGo={go} />
        {error !== null && <ErrorPanel error={error} />}
        <div className={classes.status} role="status">
          {statusOf(wanted, targets.length, isSearching)}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}

interface TargetsProps {
  readonly targets: readonly Target[];
  readonly at: number;
  readonly onSelect: (index: number) => void;
  readonly onGo: (target: Target) => void;
}

function Targets({ targets, at, onSelect, onGo }: TargetsProps) {
  return (
    <div id="search-targets" role="listbox" aria-label="Found" className={classes.list}>
      {targets.map((target, index) => (
        // The focus stays in the text field, which handles the keys.
        <button
          type="button"
          key={target.id}
          id={`search-target-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          className={classes.option}
          onMouseMove={() => onSelect(index)}
          onClick={() => onGo(target)}
        >
          <bdi>{target.label}</bdi>
          <bdi className={classes.hint}>{target.hint}</bdi>
        </button>
      ))}
    </div>
  );
}

function statusOf(text: string, found: number, isSearching: boolean): string {
  if (isSearching) return 'Searching…';
  if (text === '') {
    return 'Enter a whole id or metadata value, such as a customer id. Events also match amounts (CHF 99) and whole words.';
  }
  return found === 0
    ? 'No results. Enter the whole metadata value, or whole words of a description.'
    : '';
}

interface Target {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly open: (navigate: UseNavigateResult<string>) => Promise<void>;
}

const MOST_AGENTS = 6;

/** What the search offers for a text: pages and agents by a part of their name, records by what the service finds. */
function useTargets(text: string) {
  const ledger = useLedger();
  const enabled = useCan('read');
  const hits = useQuery({
    queryKey: ['search', text],
    queryFn: async ({ signal }) =>
      (await ledger.operations.search({ q: text, limit: 20 }, { signal }).page()).results,
    enabled: enabled && text !== '',
  });
  const agents = useQuery({
    queryKey: ['figures', 'agents', 'names'],
    queryFn: async ({ signal }) => (await ledger.analytics.agents({}, { signal }).page()).agents,
    enabled,
  });
  return {
    targets: [
      ...(hits.data ?? []).map(targetOf),
      ...agentsLike(agents.data ?? [], text),
      ...pagesLike(text),
    ],
    isSearching: hits.isFetching,
    error: hits.error,
  };
}

function targetOf({ type, id, timestamp, ...hit }: SearchHit): Target {
  const when = formatDate(timestamp, 'moment');
  if (type === 'decision') {
    const params = { decisionId: id };
    return {
      ...{
        id,
        label: `${isolated(hit.agent_id ?? '')} · ${isolated(hit.action_type ?? '')}`,
        hint: hintOf('Decision', when, hit),
      },
      open: (navigate) => navigate({ to: '/decisions/$decisionId', params }),
    };
  }
  const amount = formatMoney(hit.amount ?? '', hit.currency ?? '');
  return {
    ...{
      id,
      label: `${isolated(hit.event_type ?? '')} · ${amount}`,
      hint: hintOf('Financial event', when, hit),
    },
    open: (navigate) => navigate({ to: '/money', search: { event: id } }),
  };
}

/** What kind of record it is, of when, and why it was found if its label does not show it. */
function hintOf(
  kind: string,
  when: string,
  {
    matched,
    metadata_keys,
    description,
    external_id,
  }: Omit<SearchHit, 'type' | 'id' | 'timestamp'>,
): string {
  const why = [
    ...(matched.includes('metadata') ? metadata_keys : []),
    ...(matched.includes('text') ? [description ?? external_id ?? ''] : []),
    ...(matched.includes('external_id') ? [external_id ?? ''] : []),
  ].filter((text) => text !== '');
  return [kind, when, ...why.map(isolated)].join(' · ');
}

function agentsLike(agents: AgentPage['agents'], text: string): Target[] {
  if (text === '') return [];
  return agents
    .filter(({ agent_id }) => agent_id.toLowerCase().includes(text.toLowerCase()))
    .slice(0, MOST_AGENTS)
    .map(({ agent_id }) => ({
      id: `agent ${agent_id}`,
      label: agent_id,
      hint: 'Agent',
      open: (navigate) => navigate({ to: '/agents/$agentId', params: { agentId: agent_id } }),
    }));
}

function pagesLike(text: string): Target[] {
  return ENTRIES.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())).map(
    ({ to, label }) => ({
      ...{ id: `page ${to}`, label, hint: 'Page' },
      open: (navigate) => navigate({ to }),
    }),
  );
}

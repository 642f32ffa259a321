import type { AgentPage } from '@decision-ledger/client/api/analytics';
import type { SearchHit } from '@decision-ledger/client/api/search';
import { useQuery } from '@tanstack/react-query';
import type { UseNavigateResult } from '@tanstack/react-router';
import { formatDate } from '../../../format/dates.ts';
import { isolated } from '../../../format/locale.ts';
import { formatMoney } from '../../../format/numbers.ts';
import { useCan, useLedger } from '../../session/context.tsx';
import { ENTRIES } from '../navbar.tsx';

export interface Target {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly open: (navigate: UseNavigateResult<string>) => Promise<void>;
}

const MOST_AGENTS = 6;

/** What the search offers for a text: pages and agents by a part of their name, records by what the service finds. */
export function useTargets(text: string) {
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

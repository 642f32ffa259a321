import type { AgentPage } from '@decision-ledger/client/api/analytics';
import type { SearchHit } from '@decision-ledger/client/api/search';
import { useQuery } from '@tanstack/react-query';
import type { UseNavigateResult } from '@tanstack/react-router';
import { formatDate } from '../../../format/dates.ts';
import { formatMoney } from '../../../format/money.ts';
import { useCan, useLedger } from '../../session/context.ts';
import { ENTRIES } from '../navigation.tsx';

export interface Target {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly open: (navigate: UseNavigateResult<string>) => Promise<void>;
}

const MOST_AGENTS = 6;

/** What the search offers for a text: pages and agents by a part of their name, records by their whole text. */
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
      ...{ id, label: `${hit.agent_id} · ${hit.action_type}`, hint: `Decision, ${when}` },
      open: (navigate) => navigate({ to: '/decisions/$decisionId', params }),
    };
  }
  const amount = formatMoney(hit.amount ?? '', hit.currency ?? '');
  return {
    ...{ id, label: `${hit.event_type} · ${amount}`, hint: `Financial event, ${when}` },
    open: (navigate) => navigate({ to: '/money', search: { event: id } }),
  };
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

import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Anchor, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { PageSkeleton } from '../../app/page-fallbacks.tsx';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { Page, PageGate, PrintButton, Section } from '../../components/page.tsx';
import { Facts, Hash, Moment } from '../../components/values.tsx';
import { isolated } from '../../format/locale.ts';
import { formatShare } from '../../format/numbers.ts';
import { EraseButton, Erasures } from './erasures.tsx';
import { History, LiabilityParts } from './liability.tsx';
import { Links } from './links.tsx';
import { Payload } from './payload.tsx';
import { Chain, Proof } from './proof.tsx';

const route = getRouteApi('/shell/decisions/$decisionId');

export function DecisionPage() {
  const { decisionId } = route.useParams();
  return (
    <PageGate permission="read">
      <Loaded key={decisionId} id={decisionId} />
    </PageGate>
  );
}

function Loaded({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id],
    queryFn: ({ signal }) => ledger.decisions.get(id, { signal }),
  });
  if (data !== undefined) return <Detail decision={data} />;
  if (error === null) return <PageSkeleton />;
  return (
    <Page title="Decision">
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

function Detail({ decision }: { decision: DecisionInDetail }) {
  const { agent_id, action_type, liability } = decision;
  return (
    <Page
      title={`${isolated(action_type)} by ${isolated(agent_id)}`}
      description={<Hash value={decision.decision_id} label="the id" full />}
      actions={
        <>
          <EraseButton decision={decision} />
          <PrintButton />
        </>
      }
    >
      <Summary decision={decision} />
      <Section title="Payload">
        <Payload decision={decision} />
      </Section>
      <Section title="Links">
        <Links decision={decision} />
      </Section>
      <Section title="Liability">
        {liability === null ? (
          <Text c="dimmed">The database has no estimate of this decision.</Text>
        ) : (
          <LiabilityParts liability={liability} />
        )}
      </Section>
      <Section title="History of the estimate">
        <History id={decision.decision_id} />
      </Section>
      <Section title="Position in the chain">
        <Chain decision={decision} />
      </Section>
      <Section title="Proof">
        <Proof decision={decision} />
      </Section>
      <Section title="Erasures">
        <Erasures decision={decision} />
      </Section>
    </Page>
  );
}

const OUTCOMES: Readonly<Record<DecisionInDetail['outcome']['outcome'], string>> = {
  done: 'Done',
  failed: 'Failed',
  denied: 'Denied',
  unknown: 'Not stated',
};

function Summary({ decision }: { decision: DecisionInDetail }) {
  const { agent_id, action_type, confidence, human_in_loop, timestamp, created_at } = decision;
  const { outcome, by } = decision.outcome;
  return (
    <Facts
      facts={[
        [
          'Agent',
          <Anchor
            key="agent"
            renderRoot={(props) => (
              <Link to="/agents/$agentId" params={{ agentId: agent_id }} {...props} />
            )}
          >
            {agent_id}
          </Anchor>,
        ],
        ['Action', action_type],
        ['Outcome', `${OUTCOMES[outcome]}${by === null ? '' : `, by ${by}`}`],
        ['Confidence', formatShare(confidence, 1)],
        [
          'Human review',
          human_in_loop ? (
            <Badge key="human" variant="default" tt="none" fw={500}>
              In the loop
            </Badge>
          ) : (
            'None'
          ),
        ],
        ['Decided', <Moment key="time" time={timestamp} style="time" />],
        ['Recorded', <Moment key="created" time={created_at} style="time" />],
      ]}
    />
  );
}

import type { Decision } from '@decision-ledger/client/api/decision';
import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import classes from '../../components/record-side.module.css';
import { comparedLines, EventSide, Fact, Side } from '../../components/record-side.tsx';
import { type Line, linesOf, sharedTerms } from '../../components/shared-terms.ts';
import { Moment } from '../../components/values.tsx';
import { formatSpan } from '../../format/dates.ts';
import { formatShare } from '../../format/numbers.ts';

interface ComparisonProps {
  readonly event: FinancialEvent;
  /** Null if there is no candidate. */
  readonly decisionId: string | null;
}

/** The event beside a decision, with the values that both have marked. */
export function Comparison({ event, decisionId }: ComparisonProps) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', decisionId],
    queryFn: ({ signal }) => ledger.decisions.get(decisionId ?? '', { signal }),
    enabled: decisionId !== null,
  });
  const theirs = data === undefined ? [] : decisionLines(data);
  const shared = sharedTerms(comparedLines(event), theirs);
  return (
    <div className={classes.pair}>
      <EventSide title="Event" event={event} shared={shared} />
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {decisionId === null && <NoDecision eventId={event.id} />}
      {decisionId !== null && error === null && (
        <Side title="Decision" lines={theirs} shared={shared} isPending={data === undefined}>
          {data !== undefined && <DecisionFacts decision={data} event={event} />}
        </Side>
      )}
    </div>
  );
}

function DecisionFacts({ decision, event }: { decision: Decision; event: FinancialEvent }) {
  const { decision_id, agent_id, action_type, confidence, timestamp } = decision;
  return (
    <>
      <Fact name="Decision">
        <Anchor
          renderRoot={(props) => (
            <Link to="/decisions/$decisionId" params={{ decisionId: decision_id }} {...props} />
          )}
        >
          {action_type} by {agent_id}
        </Anchor>
      </Fact>
      <Fact name="Decided">
        <Moment time={timestamp} />
        {`, ${formatSpan(timestamp, event.timestamp)} `}
        {Date.parse(timestamp) <= Date.parse(event.timestamp) ? 'before' : 'after'} the event
      </Fact>
      <Fact name="Confidence">{formatShare(confidence, 1)}</Fact>
    </>
  );
}

function NoDecision({ eventId }: { eventId: string }) {
  return (
    <div className={classes.side}>
      <h3 className={classes.title}>Decision</h3>
      <Text c="dimmed" size="sm">
        No recorded decision is a candidate. Answer “None of these”, or, if you know the cause,{' '}
        <Anchor
          underline="always"
          renderRoot={(props) => <Link to="/money" search={{ event: eventId }} {...props} />}
        >
          link the event by hand
        </Anchor>
        .
      </Text>
    </div>
  );
}

function decisionLines({ inputs, outputs, metadata, alternatives }: Decision): Line[] {
  return [
    ...linesOf(outputs, 'outputs'),
    ...linesOf(inputs, 'inputs'),
    ...linesOf(metadata, 'metadata'),
    ...linesOf(alternatives, 'alternatives'),
  ];
}

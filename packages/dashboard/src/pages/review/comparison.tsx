import type { Decision } from '@decision-ledger/client/api/decision';
import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { formatSpan } from '../../format/dates.ts';
import { formatShare } from '../../format/numbers.ts';
import classes from './comparison.module.css';
import { type Line, linesOf, partsOf, sharedTerms } from './shared-terms.ts';

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
  const ours = eventLines(event);
  const theirs = data === undefined ? [] : decisionLines(data);
  const shared = sharedTerms([...ours, ...moneyLines(event)], theirs);
  return (
    <div className={classes.pair}>
      <Side title="Event" lines={ours} shared={shared}>
        <Fact name="Amount">
          <Marked isShared={isAmountShared(event.amount, shared)}>
            <Money amount={event.amount} currency={event.currency} />
          </Marked>
        </Fact>
        <Fact name="Happened">
          <Moment time={event.timestamp} />
        </Fact>
      </Side>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {decisionId === null && <NoDecision />}
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

function NoDecision() {
  return (
    <div className={classes.side}>
      <h3 className={classes.title}>Decision</h3>
      <Text c="dimmed" size="sm">
        No recorded decision is a candidate. Answer “None of these”, or create a link with the API
        if you know the cause.
      </Text>
    </div>
  );
}

interface SideProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly shared: ReadonlySet<string>;
  readonly isPending?: boolean;
  readonly children: ReactNode;
}

function Side({ title, lines, shared, isPending = false, children }: SideProps) {
  return (
    <section className={classes.side} aria-label={title} aria-busy={isPending}>
      <h3 className={classes.title}>{title}</h3>
      {isPending ? (
        <LinesSkeleton lines={6} />
      ) : (
        <dl className={classes.lines}>
          {children}
          {lines.map(({ name, text }) => (
            <Fact key={`${name}=${text}`} name={name}>
              {partsOf(text, shared).map((part) => (
                <Marked key={part.start} isShared={part.isShared}>
                  {part.text}
                </Marked>
              ))}
            </Fact>
          ))}
        </dl>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Marked({ isShared, children }: { isShared: boolean; children: ReactNode }) {
  if (!isShared) return <Fragment>{children}</Fragment>;
  return (
    <mark className={classes.mark} title="Both have this">
      {children}
    </mark>
  );
}

function isAmountShared(amount: string, shared: ReadonlySet<string>): boolean {
  return partsOf(amount, shared).some(({ isShared }) => isShared);
}

/** They are shown as money, and compared as text. */
function moneyLines({ amount, currency }: FinancialEvent): Line[] {
  return [
    { name: 'amount', text: amount },
    { name: 'currency', text: currency },
  ];
}

function eventLines(event: FinancialEvent): Line[] {
  const { source, event_type, external_id, description, metadata } = event;
  return [
    { name: 'Source', text: source },
    { name: 'Type', text: event_type },
    ...linesOf(external_id, 'Reference'),
    ...linesOf(description, 'Description'),
    ...linesOf(metadata, 'metadata'),
  ];
}

function decisionLines({ inputs, outputs, metadata, alternatives }: Decision): Line[] {
  return [
    ...linesOf(outputs, 'outputs'),
    ...linesOf(inputs, 'inputs'),
    ...linesOf(metadata, 'metadata'),
    ...linesOf(alternatives, 'alternatives'),
  ];
}

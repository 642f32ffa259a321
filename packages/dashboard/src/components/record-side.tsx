import type { FinancialEvent } from '@decision-ledger/client/api/financial-event';
import { Fragment, type ReactNode } from 'react';
import { LinesSkeleton } from './load-states.tsx';
import classes from './record-side.module.css';
import { type Line, linesOf, partsOf } from './shared-terms.ts';
import { Moment, Money } from './values.tsx';

interface SideProps {
  readonly title: string;
  readonly lines: readonly Line[];
  /** The terms that the other side has, too. */
  readonly shared: ReadonlySet<string>;
  readonly isPending?: boolean;
  /** What stands before the lines: facts. */
  readonly children: ReactNode;
}

/** One of two records that are compared, with the values that both have marked. */
export function Side({ title, lines, shared, isPending = false, children }: SideProps) {
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

interface EventSideProps {
  readonly title: string;
  readonly event: FinancialEvent;
  readonly shared: ReadonlySet<string>;
  /** More facts, after the amount and the time. */
  readonly children?: ReactNode;
}

/** A financial event as one side. */
export function EventSide({ title, event, shared, children }: EventSideProps) {
  const isShared = partsOf(event.amount, shared).some((part) => part.isShared);
  return (
    <Side title={title} lines={eventLines(event)} shared={shared}>
      <Fact name="Amount">
        <Marked isShared={isShared}>
          <Money amount={event.amount} currency={event.currency} />
        </Marked>
      </Fact>
      <Fact name="Happened">
        <Moment time={event.timestamp} />
      </Fact>
      {children}
    </Side>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
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

/** All that is compared of an event. Its money is shown as money, and compared as text. */
export function comparedLines(event: FinancialEvent): Line[] {
  return [
    ...eventLines(event),
    { name: 'amount', text: event.amount },
    { name: 'currency', text: event.currency },
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

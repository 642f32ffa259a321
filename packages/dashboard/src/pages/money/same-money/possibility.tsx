import { Kbd, Text } from '@mantine/core';
import choiceClasses from '../../../components/choice-list.module.css';
import recordClasses from '../../../components/record-side.module.css';
import { comparedLines, EventSide, Fact } from '../../../components/record-side.tsx';
import { sharedTerms } from '../../../components/shared-terms.ts';
import { Moment } from '../../../components/values.tsx';
import { formatSpan } from '../../../format/dates.ts';
import classes from './partners.module.css';
import type { Doubtful, Possible } from './queue.ts';
import { Summation } from './summation.tsx';
import { Details, DOUBTS, RULES } from './why-asked.tsx';

interface PossibilityProps {
  readonly doubtful: Doubtful;
  readonly possible: Possible | undefined;
}

/** The event beside one that may report the same money, with what both have marked. */
export function Possibility({ doubtful: { report }, possible }: PossibilityProps) {
  if (possible === undefined) return null;
  if (possible.sum !== undefined)
    return <Summation whole={report} possible={possible} sum={possible.sum} />;
  const { financial_event: other, rule, doubt } = possible;
  const shared = sharedTerms(comparedLines(report), comparedLines(other));
  const witnesses = report.movement.reports.length - 1;
  return (
    <>
      <p className={classes.why}>
        <strong>{RULES[rule]}</strong> {DOUBTS[doubt]}
      </p>
      <div className={recordClasses.pair}>
        <EventSide title="Event" event={report} shared={shared}>
          {witnesses > 0 && (
            <Fact name="Paired already">
              With {witnesses === 1 ? 'another event' : `${witnesses} other events`}
            </Fact>
          )}
          <Details id={report.id} />
        </EventSide>
        <EventSide title="Possible partner" event={other} shared={shared}>
          <Fact name="Time between them">{formatSpan(report.timestamp, other.timestamp)}</Fact>
          <Details id={other.id} />
        </EventSide>
      </div>
    </>
  );
}

interface PartnersProps {
  readonly possible: readonly Possible[];
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

const togetherIn = (sum: Possible['sum']): number => sum?.period?.count ?? sum?.parts.length ?? 1;

/** All that may report the same money as the event in view. */
export function Partners({ possible, chosen, onChoose }: PartnersProps) {
  return (
    <ol className={`${choiceClasses.list} ${classes.list}`} aria-label="Possible partners">
      {possible.map(({ financial_event: event, sum }, index) => (
        <li key={event.id}>
          <button
            type="button"
            className={choiceClasses.row}
            aria-current={index === chosen}
            onClick={() => onChoose(index)}
          >
            {index < 9 ? <Kbd size="xs">{index + 1}</Kbd> : <span />}
            <span className={choiceClasses.name}>
              <bdi>{event.source}</bdi>
              {togetherIn(sum) > 1 && ` · ${togetherIn(sum)} events together`}
              {event.external_id !== undefined && (
                <>
                  {' · '}
                  <bdi>{event.external_id}</bdi>
                </>
              )}
              <Text component="span" size="xs" c="dimmed" display="block">
                <Moment time={event.timestamp} />
              </Text>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

import { Money } from '../../components/money.tsx';
import type { DayRange } from '../../format/range.ts';
import { formatRange } from '../../format/range.ts';
import classes from './sentence.module.css';
import { type Statement, sentencesOf } from './statement.ts';

interface SentenceProps {
  readonly agentId: string;
  readonly range: DayRange;
  readonly statement: Statement;
}

/** The whole statement in a sentence or two. */
export function Sentence({ agentId, range, statement }: SentenceProps) {
  return (
    <p className={classes.sentence} data-testid="sentence">
      {agentId}, {formatRange(range)}:{' '}
      {sentencesOf(statement).map((phrase, at) =>
        typeof phrase === 'string' ? (
          phrase
        ) : (
          // The phrases of a statement never change their places.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <strong key={at}>
            <Money {...phrase} />
          </strong>
        ),
      )}
    </p>
  );
}

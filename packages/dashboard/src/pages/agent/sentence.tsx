import { createElement } from 'react';
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
  // Spread as children, which never change their places, so they need no keys.
  const phrases = sentencesOf(statement).map((phrase) =>
    typeof phrase === 'string'
      ? phrase
      : createElement('strong', null, createElement(Money, phrase)),
  );
  const props = { className: classes.sentence, 'data-testid': 'sentence' };
  return createElement('p', props, `${agentId}, ${formatRange(range)}: `, ...phrases);
}

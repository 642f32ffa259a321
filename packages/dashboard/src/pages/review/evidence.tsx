import { Text } from '@mantine/core';
import { scaleLinear } from 'd3-scale';
import { formatChange, formatShare } from '../../format/numbers.ts';
import classes from './evidence.module.css';
import { nameOfEvidence } from './evidence-names.ts';
import { type EvidenceStep, probabilityOf, stepsOf } from './waterfall.ts';

/** What speaks for a candidate and against it, each step from where the one before ended. */
export function Evidence({ evidence }: { evidence: Readonly<Record<string, number>> }) {
  const steps = stepsOf(evidence);
  const last = steps.at(-1);
  if (last === undefined) {
    return (
      <Text c="dimmed" size="sm">
        The evidence is not available: the model that scored this event no longer exists.
      </Text>
    );
  }
  const ends = steps.flatMap(({ before, after }) => [before, after]);
  const x = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends)])
    .range([0, 100]);
  return (
    <>
      <ol className={classes.steps} aria-label="Evidence">
        {steps.map((step) => (
          <Step key={step.evidence} step={step} x={x} />
        ))}
      </ol>
      <p className={classes.total}>
        <span>Against “no recorded decision”</span>
        <strong>{formatShare(probabilityOf(last.after), 1)}</strong>
      </p>
    </>
  );
}

interface StepProps {
  readonly step: EvidenceStep;
  /** From log-odds to per cent of the width. */
  readonly x: (logOdds: number) => number;
}

function Step({ step, x }: StepProps) {
  const { evidence, logOdds, before, after } = step;
  const left = Math.min(x(before), x(after));
  const width = Math.abs(x(after) - x(before));
  return (
    <li
      className={classes.step}
      title={`Probability after this step: ${formatShare(probabilityOf(after), 1)}`}
    >
      <span className={classes.name}>{nameOfEvidence(evidence)}</span>
      <span className={classes.value}>{formatChange(logOdds)}</span>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.zero} style={{ left: `${x(0)}%` }} />
        <span
          className={classes.bar}
          data-sign={logOdds < 0 ? 'against' : 'for'}
          style={{ left: `${left}%`, width: `${Math.max(0.8, width)}%` }}
        />
      </span>
    </li>
  );
}

import type { Review } from '@decision-ledger/client/api/review';
import { Kbd, Text } from '@mantine/core';
import { scaleLinear } from 'd3-scale';
import choiceClasses from '../../components/choice-list.module.css';
import { LinkLabel, Moment } from '../../components/values.tsx';
import { formatChange, formatShare } from '../../format/numbers.ts';
import type { Candidate } from './answers.ts';
import classes from './evidence.module.css';
import { type EvidenceStep, nameOfEvidence, probabilityOf, stepsOf } from './evidence-steps.ts';

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
      <span className={choiceClasses.name}>{nameOfEvidence(evidence)}</span>
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

interface RivalsProps {
  readonly review: Review;
  readonly chosen: number;
  readonly isRejected: (linkId: string | undefined) => boolean;
  readonly onChoose: (index: number) => void;
}

/** The candidates and "no recorded decision", which compete for the event. An audit shows no shares. */
export function Rivals({ review, chosen, isRejected, onChoose }: RivalsProps) {
  const { candidates, none_share } = review;
  return (
    <ol className={choiceClasses.list} aria-label="Candidates">
      {candidates.map((candidate, index) => (
        <li key={candidate.decision_id}>
          <button
            type="button"
            className={choiceClasses.row}
            aria-current={index === chosen}
            data-rejected={isRejected(candidate.link_id)}
            onClick={() => onChoose(index)}
          >
            <Kbd size="xs">{(index + 1) % 10}</Kbd>
            <Rival candidate={candidate} isRejected={isRejected(candidate.link_id)} />
          </button>
        </li>
      ))}
      {none_share !== undefined && (
        <li className={`${choiceClasses.row} ${classes.none}`}>
          <span className={choiceClasses.name}>No recorded decision</span>
          <Share share={none_share} />
        </li>
      )}
    </ol>
  );
}

function Rival({ candidate, isRejected }: { candidate: Candidate; isRejected: boolean }) {
  const { action_type, agent_id, timestamp, share, label, link_id } = candidate;
  return (
    <>
      <span className={`${choiceClasses.name} ${classes.rival}`}>
        {action_type} <span className={classes.agent}>by {agent_id}</span>
      </span>
      {share !== undefined && <Share share={share} />}
      <span className={classes.more}>
        <Moment time={timestamp} />
        {isRejected ? 'Rejected' : link_id !== undefined && <LinkLabel label={label ?? null} />}
      </span>
    </>
  );
}

function Share({ share }: { share: number }) {
  return <span className={classes.share}>{formatShare(share, 1)}</span>;
}

import { LedgerConnectionError } from '@decision-ledger/client';
import { Alert, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCan } from '../../../app/session/context.tsx';
import { ActionBar, KeyHelp } from '../../../components/action-bar.tsx';
import { Icon } from '../../../components/icon.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import { QueueList } from '../../../components/queue-list.tsx';
import { CsvButton } from '../../../components/rows.tsx';
import classes from '../../../components/workspace.module.css';
import { formatQuantity } from '../../../format/numbers.ts';
import { CSV, useRows } from './csv.ts';
import { Partners, Possibility } from './possibility.tsx';
import { aboutOf, type Doubtful, type Step, useDoubts, useSaying, type Verdict } from './queue.ts';

/** Asks of events that no rule can tell whether they report the same money. */
export function SameMoney() {
  const { reports, error, reach, reload } = useDoubts();
  const saying = useSaying(reload);
  if (reports === undefined) {
    if (error === null) return <LinesSkeleton />;
    return <ErrorPanel error={error} onRetry={() => void reload()} />;
  }
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={() => void reload()} />}
      <Workspace {...{ reports, reach, saying }} />
    </>
  );
}

const ANSWERS = [
  { name: 'same', key: 'P', label: 'Same money' },
  { name: 'different', key: 'N', label: 'Not the same' },
  { name: 'later', key: 'S', label: 'Later' },
  { name: 'undo', key: 'U', label: 'Undo' },
] as const;

const KEYS = [
  ['J', 'next event'],
  ['K', 'previous event'],
  ['1–9', 'choose a possible partner'],
  ['P', 'pair: it counts once'],
  ['N', 'not the same: both count'],
  ['S', 'leave it for later'],
  ['U', 'undo the last answer'],
] as const;

const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

interface WorkspaceProps {
  readonly reports: readonly Doubtful[];
  readonly reach: (index: number) => void;
  readonly saying: ReturnType<typeof useSaying>;
}

/** The events in doubt on the left, and the one in view beside a possible partner. */
function Workspace({ reports, reach, saying }: WorkspaceProps) {
  const canReview = useCan('review');
  const load = useRows();
  const selection = useSelection(reports);
  const { index, doubtful, place, possible, isCovered, open, choose } = selection;
  const say = (verdict: Verdict) => {
    if (doubtful === undefined || possible === undefined) return;
    const about = aboutOf(doubtful, possible, verdict);
    const step = { report: doubtful.report.id, about, verdict };
    // The same event if it has another possible partner, else the next one that is left.
    const order = [...reports.slice(index), ...reports.slice(0, index).toReversed()];
    const next = (left: readonly Doubtful[]) =>
      order.find(({ report }) => left.some((one) => one.report.id === report.id))?.report.id;
    void saying.say(step, (left) => open(next(left)));
  };
  const later = reports[(index + 1) % reports.length]?.report.id;
  const isAnswerable = canReview && !isCovered && possible !== undefined;
  const actions = {
    same: isAnswerable ? () => say('same') : null,
    different: isAnswerable ? () => say('different') : null,
    later: !isCovered && reports.length > 1 ? () => open(later) : null,
    undo:
      canReview && !isCovered && saying.last !== undefined ? () => void saying.undo(open) : null,
  };
  useHotkeys([
    ['J', () => open(reports[index + 1]?.report.id)],
    ['K', () => open(reports[index - 1]?.report.id)],
    ...DIGITS.map((digit, at): [string, () => void] => [digit, () => choose(at)]),
  ]);
  const bar = (
    <div className={classes.answer} data-screen-only>
      {canReview ? (
        <ActionBar answers={ANSWERS} actions={actions} isPending={saying.isPending} />
      ) : (
        <Text c="dimmed" size="sm">
          To answer, sign in with a key that has the permission review.
        </Text>
      )}
      <LastAnswer step={saying.last} />
      {saying.failure !== null && <Failure error={saying.failure} />}
    </div>
  );
  if (doubtful === undefined) {
    return (
      <>
        {saying.last !== undefined && bar}
        <NothingInDoubt />
      </>
    );
  }
  return (
    <>
      <CsvButton label="Events in doubt" table={CSV} load={load} />
      <div className={classes.columns} data-columns="2">
        <QueueList
          label="Events in doubt"
          items={reports}
          current={index}
          eventOf={({ report }) => report}
          note={(one) => <span>{one.report.source}</span>}
          onChoose={(at) => open(reports[at]?.report.id)}
          onReach={reach}
        />
        <section className={classes.middle} aria-label="Event in view">
          {bar}
          {doubtful.possible.length > 1 && (
            <>
              <h2 className={classes.title}>
                {formatQuantity(doubtful.possible.length, 'possible partner')}
              </h2>
              <Partners possible={doubtful.possible} chosen={place} onChoose={choose} />
            </>
          )}
          <Possibility doubtful={doubtful} possible={possible} />
        </section>
      </div>
      <KeyHelp keys={KEYS} />
    </>
  );
}

const route = getRouteApi('/shell/money');

/** The event in view, which the address has, and its possible partner in view. */
function useSelection(reports: readonly Doubtful[]) {
  const { report, event } = route.useSearch();
  const isCovered = event !== undefined;
  const navigate = useNavigate();
  const [choice, setChoice] = useState({ id: '', place: 0 });
  const index = Math.max(
    0,
    reports.findIndex((one) => one.report.id === report),
  );
  const doubtful = reports[index];
  const id = doubtful?.report.id ?? '';
  const place = choice.id === id ? choice.place : 0;
  return {
    ...{ index, doubtful, place },
    /** Whether an event is shown over the list: keys are for that one. */
    isCovered,
    possible: doubtful?.possible[place] ?? doubtful?.possible[0],
    open(wanted: string | undefined) {
      if (wanted === undefined || isCovered) return;
      const search = { tab: 'same-money' as const, report: wanted };
      void navigate({ to: '/money', search, replace: true, resetScroll: false });
    },
    choose(at: number) {
      if (doubtful !== undefined && at < doubtful.possible.length) setChoice({ id, place: at });
    },
  };
}

/** What was said last, for everybody. */
function LastAnswer({ step }: { step: Step | undefined }): ReactNode {
  return (
    <Text size="sm" c="dimmed" role="status" mih={20}>
      {step !== undefined && SAID[step.verdict]}
      {step?.isSettled === true && ' Only one possibility was left, so the ledger paired it.'}
    </Text>
  );
}

const SAID: Readonly<Record<Verdict, string>> = {
  same: 'Saved: the same money, which counts once.',
  different: 'Saved: not the same money.',
};

function Failure({ error }: { error: Error }) {
  if (!(error instanceof LedgerConnectionError)) return <ErrorPanel error={error} />;
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="The answer may not have been saved"
      role="alert"
    >
      The connection was lost. Answer again: the same answer twice has the effect of one.
    </Alert>
  );
}

function NothingInDoubt() {
  return (
    <EmptyState title="No event is in doubt">
      Events of several sources that report the same money count once. Where the ledger cannot tell
      whether two are the same, they appear here, and count apart until somebody says so.
    </EmptyState>
  );
}

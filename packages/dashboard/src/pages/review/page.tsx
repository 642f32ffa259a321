import type { Decided } from '@decision-ledger/client/api/review';
import { NativeSelect } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { readReview } from '../../app/search-params.ts';
import { useCan, useMe } from '../../app/session/context.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Page, PageGate } from '../../components/page.tsx';
import { Money } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import type { Today } from './answers.ts';
import { useQueue } from './queue.ts';
import { useAnswering } from './use-answering.ts';
import { Workspace } from './workspace.tsx';

const route = getRouteApi('/shell/review');

export function ReviewPage() {
  const me = useMe();
  if (me?.permissions.includes('read') === true) {
    return <Reviews />;
  }
  return (
    <Page title="Review">
      <PageGate permission="read">{null}</PageGate>
    </Page>
  );
}

function Reviews() {
  const { show, source } = route.useSearch();
  const canReview = useCan('review');
  const queue = useQueue({ show, source });
  const answering = useAnswering();
  return (
    <Page
      title="Review"
      description={<Progress today={answering.today} />}
      actions={<ShowSelect />}
    >
      {queue.error !== null && (
        <ErrorPanel error={queue.error} onRetry={() => void queue.reload()} />
      )}
      {queue.reviews === undefined && queue.error === null && <LinesSkeleton />}
      {queue.reviews?.length === 0 && (
        <NothingOpen isFiltered={show !== undefined || source !== undefined} />
      )}
      {queue.reviews !== undefined && queue.reviews.length > 0 && (
        <Workspace
          queue={queue}
          reviews={queue.reviews}
          answering={answering}
          canReview={canReview}
        />
      )}
    </Page>
  );
}

function ShowSelect() {
  const { show, source } = route.useSearch();
  const navigate = useNavigate();
  return (
    <NativeSelect
      size="xs"
      aria-label="Show"
      value={show ?? ''}
      data={[
        { value: '', label: 'All events' },
        { value: 'suggested', label: 'With a suggestion' },
        { value: 'unexplained', label: 'Without a suggestion' },
        { value: 'audits', label: 'Audits' },
      ]}
      onChange={({ currentTarget }) => {
        const search = { source, show: readReview({ show: currentTarget.value }).show };
        void navigate({ to: '/review', search });
      }}
    />
  );
}

const EXAMPLE = {
  source: 'billing',
  event_type: 'refund',
  amount: '-49.00',
  currency: 'EUR',
  external_id: 'A-1041',
  timestamp: '2026-04-30T13:00:00Z',
};

function NothingOpen({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState title="No event of this kind waits for a review">
        Show all events to see what else is open.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing waits for a review"
      request={{ method: 'POST', path: '/api/v1/financial-events', body: EXAMPLE }}
    >
      Financial events whose cause nobody has named yet appear here, the most useful ones first. The
      ledger suggests the decisions that may have caused them within seconds after it records them.
    </EmptyState>
  );
}

/** How many events were decided today, of those that waited. Undefined while it is not known. */
function Progress({ today }: { today: Today | undefined }) {
  if (today === undefined) return <>&nbsp;</>;
  const { open, decided } = today;
  const { own, all } = decided;
  return (
    <span>
      {formatCount(own.events)} of {formatCount(own.events + open.reviews)}
      <Sums sums={own.sums} /> decided today
      {all.events > own.events && (
        <>
          {' '}
          by you, {formatCount(all.events)}
          <Sums sums={all.sums} /> by everybody
        </>
      )}
    </span>
  );
}

function Sums({ sums }: Pick<Decided, 'sums'>) {
  return sums.map(({ currency, amount }, at) => (
    <Fragment key={currency}>
      {at === 0 ? ', ' : ' + '}
      <Money amount={amount} currency={currency} />
    </Fragment>
  ));
}

import type { SpanGroup } from '@decision-ledger/client/api/operations';
import { Modal, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { SPAN_RESULTS } from '../../../app/search-params.ts';
import { useLedger } from '../../../app/session/context.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import classes from '../settings.module.css';
import { type TaggedSettings, WithSettings } from '../tagged-settings.tsx';
import { GroupTable } from './group-table.tsx';
import { PresetForm } from './preset-form.tsx';
import { RuleForm } from './rule-form.tsx';
import { RESULT_NAMES } from './words.ts';

const route = getRouteApi('/shell/settings');

/** What arrived over OpenTelemetry in the last day, and what became of it. */
export function Spans() {
  return (
    <WithSettings>
      {(tagged) => (
        <div className={classes.wide}>
          <Text size="sm" maw={720}>
            What arrived over OpenTelemetry in the last 24 hours, and what became of it: names,
            types and counts. Values of attributes are not kept. Of tool calls, those that the
            preset knows are recorded; anything else needs a rule.
          </Text>
          <PresetForm {...tagged} />
          <Arrived {...tagged} />
        </div>
      )}
    </WithSettings>
  );
}

function Arrived(tagged: TaggedSettings) {
  const ledger = useLedger();
  const { result } = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<SpanGroup | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['spans'],
    queryFn: ({ signal }) => ledger.operations.spanGroups({ signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={4} />;
  if (data.groups.length === 0) return <NothingArrived />;
  const shown = data.groups.filter((group) => result === undefined || group.result === result);
  return (
    <>
      <NativeSelect
        size="xs"
        maw={220}
        label="Result"
        data-screen-only
        value={result ?? ''}
        data={[
          { value: '', label: 'All' },
          ...SPAN_RESULTS.map((value) => ({ value, label: RESULT_NAMES[value] })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const chosenResult = SPAN_RESULTS.find((one) => one === value);
          void navigate({ search: { section: 'spans', result: chosenResult }, replace: true });
        }}
      />
      {shown.length === 0 ? (
        <Text c="dimmed">Nothing of what arrived has this result.</Text>
      ) : (
        <GroupTable groups={shown} onRule={setChosen} />
      )}
      <Modal
        opened={chosen !== null}
        onClose={() => setChosen(null)}
        title="Make a rule of these spans"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {chosen !== null && <RuleForm {...tagged} group={chosen} onDone={() => setChosen(null)} />}
      </Modal>
    </>
  );
}

function NothingArrived() {
  return (
    <EmptyState title="No span has arrived in the last 24 hours">
      Choose a preset, issue a key with the permission ingest, and give the exporter of your agent
      OTEL_EXPORTER_OTLP_ENDPOINT, the address of this service, and OTEL_EXPORTER_OTLP_HEADERS,
      X-Ledger-Key=your key. What it sends is shown here within seconds.
    </EmptyState>
  );
}

import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.ts';
import { TimeSeries } from '../../charts/time-series.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Page, Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { coordinateOf } from '../../format/decimal.ts';
import { formatCount } from '../../format/numbers.ts';

const route = getRouteApi('/shell/exposure');

export function ExposurePage() {
  return (
    <Page title="Exposure">
      <Section title="Trend">
        <Trend />
      </Section>
    </Page>
  );
}

function Trend() {
  const ledger = useLedger();
  const { from: start, to: end } = route.useSearch();
  const query = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'exposure', query],
    queryFn: ({ signal }) => ledger.analytics.liability(query, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton />;
  if (data.trend.length < 2) {
    return <Text c="dimmed">The trend begins with the second day of the ledger.</Text>;
  }
  return (
    <TimeSeries
      label={`Exposure by day, in ${data.currency}`}
      height={240}
      times={data.trend.map(({ day }) => Date.parse(day) / 1000)}
      lines={[
        { label: 'Exposure', values: data.trend.map(({ exposure }) => coordinateOf(exposure)) },
      ]}
      formatValue={formatCount}
    />
  );
}

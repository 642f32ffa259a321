import type { Log } from '@decision-ledger/client/api/transparency';
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { saveText } from '../../components/rows.tsx';
import { Facts, Hash, Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import classes from './evidence.module.css';

const NAMES = { decisions: 'Decisions', activity: 'Activity' } as const;

/** The last checkpoint of each chain. Who keeps one can prove later that nothing before it was changed. */
export function Logs() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['checkpoints'],
    queryFn: async ({ signal }) => {
      const signed = { type: 'checkpoint.signed', limit: 1 };
      const { activity } = await ledger.operations.activity(signed, { signal }).page();
      // Without a checkpoint, there is no log to ask for.
      if (activity.length === 0) return [];
      return Promise.all([
        ledger.transparency.log('decisions', { signal }),
        ledger.transparency.log('activity', { signal }),
      ]);
    },
  });
  return (
    <Section title="Checkpoints">
      <Text size="sm" maw={720} mb="xs">
        A checkpoint commits to all records so far with one signed hash. Give it to an outsider now:
        they can later prove with it that no earlier record was changed or left out, even by you.
      </Text>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={6} />}
      {data?.length === 0 && (
        <Text c="dimmed">
          No checkpoint is signed yet. The service signs one within minutes of the first record.
        </Text>
      )}
      {data !== undefined && data.length > 0 && (
        <div className={classes.chains}>
          {data.map((log) => (
            <LogFacts key={log.chain} log={log} />
          ))}
        </div>
      )}
    </Section>
  );
}

function LogFacts({ log }: { log: Log }) {
  const { chain, origin, verifier_key, checkpoint } = log;
  const name = NAMES[chain];
  return (
    <div className={classes.seal}>
      <h3>{name}</h3>
      <Facts
        facts={[
          ['Records covered', formatCount(checkpoint.size)],
          ['Signed', <Moment key="signed" time={checkpoint.signed_at} />],
          [
            'Root hash',
            <Hash key="root" value={checkpoint.root} label={`the root of ${origin}`} />,
          ],
          ['Log', <code key="origin">{origin}</code>],
          ['Key', <Hash key="key" value={verifier_key} label={`the key of ${origin}`} />],
        ]}
      />
      <Text size="xs" c="dimmed" mt={6} mb={8}>
        Basis: the key of the log. It proves order and completeness only to somebody who kept an
        earlier checkpoint.
      </Text>
      <SaveCheckpoint chain={chain} />
    </div>
  );
}

function SaveCheckpoint({ chain }: Pick<Log, 'chain'>) {
  const ledger = useLedger();
  const saving = useMutation({
    mutationFn: () => ledger.transparency.checkpoint(chain),
    onSuccess: (note) => saveText(`${chain}.checkpoint`, note),
  });
  return (
    <div data-screen-only>
      <Button
        size="compact-sm"
        variant="light"
        loading={saving.isPending}
        onClick={() => saving.mutate()}
        aria-label={`Save checkpoint of ${NAMES[chain].toLowerCase()}`}
      >
        Save checkpoint
      </Button>
      {saving.error !== null && <ErrorPanel error={saving.error} />}
    </div>
  );
}

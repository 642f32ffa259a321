import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger, useSession } from '../../../app/session/context.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { LinesSkeleton } from '../../../components/page-skeleton.tsx';
import { formatCount } from '../../../format/numbers.ts';
import classes from '../settings.module.css';
import type { Fresh } from './fresh.ts';
import { IssueForm } from './issue-form.tsx';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';

const SHOWN = 100;

export function Keys() {
  const ledger = useLedger();
  const { mode } = useSession();
  const [fresh, setFresh] = useState<Fresh | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => ledger.keys.list({ limit: SHOWN }, { signal }).page(),
  });
  return (
    <div className={classes.wide}>
      <Text size="sm" maw={720}>
        A key lets a program use the {mode} ledger, with the permissions that it was given. Give
        each program a key of its own, with as few permissions as it needs.
      </Text>
      {fresh !== null && <NewKey fresh={fresh} onDone={() => setFresh(null)} />}
      <IssueForm onIssued={(issued) => setFresh({ issued, replaced: null })} />
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={4} />}
      {data !== undefined && <KeyTable keys={data.keys} onRotated={setFresh} />}
      {data !== undefined && data.next_cursor !== null && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(SHOWN)} keys are shown.
        </Text>
      )}
    </div>
  );
}

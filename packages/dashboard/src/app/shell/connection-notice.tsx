import { Alert, Button, Group } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Moment } from '../../components/values.tsx';
import { useLiveState, useReconnect } from '../live.tsx';
import { useConnection } from '../session/context.tsx';

/** Says that the page may be old while the network or the service is away, and since when. */
export function ConnectionNotice() {
  const { reach } = useConnection();
  const { isAway, answeredAt } = useSyncExternalStore(reach.subscribe, () => reach.state);
  const { online } = useNetwork();
  const isLost = useLiveState() === 'lost' || isAway;
  if (online && !isLost) return null;
  return <Notice isOffline={!online} answeredAt={answeredAt} />;
}

interface NoticeProps {
  /** Whether the device has no network. */
  readonly isOffline: boolean;
  /** ms since the epoch; null before the first answer. */
  readonly answeredAt: number | null;
}

/** Sessions without the stream find out like this that the service is back. */
const AGAIN_MS = 5000;

function Notice({ isOffline, answeredAt }: NoticeProps) {
  const { isTrying, retry, ask } = useRetry();
  const again = useEffectEvent(() => void ask());
  useEffect(() => {
    const timer = setInterval(again, AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Alert
      color="orange"
      radius={0}
      py="xs"
      icon={<Icon name="warning" />}
      title={isOffline ? 'You are offline' : 'The connection is lost'}
      role="alert"
      data-screen-only
    >
      <Group justify="space-between" gap="xs">
        <span>
          {isOffline
            ? 'This device has no network. '
            : 'The service cannot be reached. You are still signed in. '}
          {answeredAt === null ? (
            'Nothing could be loaded yet.'
          ) : (
            <>
              The page shows what was last loaded, on{' '}
              <Moment time={new Date(answeredAt).toISOString()} style="time" />.
            </>
          )}{' '}
          It is updated as soon as the service can be reached.
        </span>
        <Button size="xs" variant="default" loading={isTrying} onClick={() => void retry()}>
          Try now
        </Button>
      </Group>
    </Alert>
  );
}

function useRetry() {
  const queries = useQueryClient();
  const { reach } = useConnection();
  const reconnect = useReconnect();
  const [isTrying, setTrying] = useState(false);
  /** Asks for one small thing first: everything else is read again once it is answered. */
  const ask = async () => {
    if (!reach.state.isAway) return;
    await queries.refetchQueries({ queryKey: ['me'] });
    if (!reach.state.isAway) await queries.invalidateQueries();
  };
  return {
    isTrying,
    ask,
    /** The same, and the stream does not wait for its next attempt. */
    async retry() {
      setTrying(true);
      reconnect();
      await ask();
      setTrying(false);
    },
  };
}

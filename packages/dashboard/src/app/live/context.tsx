import type { LedgerEvent } from '@decision-ledger/client/stream';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react';
import { useConnection, useMe } from '../session/context.ts';
import { Live, type LiveState } from './live.ts';

const LiveContext = createContext<Live | null>(null);

/** Opens the live stream of the session around it. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const connection = useConnection();
  const permissions = useMe()?.permissions;
  const [live] = useState(() => new Live(connection));
  const isAllowed = permissions?.includes('stream');
  useEffect(() => (isAllowed === undefined ? undefined : live.start(isAllowed)), [live, isAllowed]);
  return <LiveContext value={live}>{children}</LiveContext>;
}

function useLiveStream(): Live {
  const live = use(LiveContext);
  if (live === null) throw new Error('this component needs the live stream around it');
  return live;
}

export function useLiveState(): LiveState {
  const live = useLiveStream();
  return useSyncExternalStore(live.subscribe, () => live.state);
}

/** Connects again at once to a stream that was lost. */
export function useReconnect(): () => void {
  return useLiveStream().reconnect;
}

/** Calls back for each event of the stream while the component is shown. */
export function useLive(onEvent: (event: LedgerEvent) => void): void {
  const live = useLiveStream();
  const listener = useEffectEvent(onEvent);
  useEffect(() => live.listen((event) => listener(event)), [live]);
}

import type { ReactNode } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { type TaggedSettings, useSettings } from './use-settings.ts';

/** Shows its content when the settings are known. */
export function WithSettings({ children }: { children: (settings: TaggedSettings) => ReactNode }) {
  const { data, error, refetch } = useSettings();
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <LinesSkeleton /> : children({ settings: data.data, tag: data.tag });
}

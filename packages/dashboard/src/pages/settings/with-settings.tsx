import type { SettingsAnswer } from '@decision-ledger/client/api/settings-forms';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { useSettings } from './use-settings.ts';

/** Shows its content when the settings are known. */
export function WithSettings({ children }: { children: (settings: SettingsAnswer) => ReactNode }) {
  const { data, error, refetch } = useSettings();
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <LinesSkeleton /> : children(data);
}

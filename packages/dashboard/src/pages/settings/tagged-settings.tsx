import type { SettingsAnswer, SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { readSettingsAgain, settingsOf } from '../../components/saving-settings.tsx';

/** Settings, and what identifies them. */
export interface TaggedSettings {
  readonly settings: SettingsAnswer;
  readonly tag: string;
}

function useSettings() {
  return useQuery(settingsOf(useLedger()));
}

/** Changes the settings that have this tag. Figures that rest on them are read again before it is over. */
export function useSave(tag: string) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: SettingsPatch) => ledger.settings.update(patch, { ifMatch: tag }),
    onSuccess: async () => {
      notifications.show({ message: 'Saved' });
      await Promise.all([
        readSettingsAgain(queries),
        queries.invalidateQueries({ queryKey: ['figures'] }),
      ]);
    },
  });
}

/** Shows its content when the settings are known. */
export function WithSettings({ children }: { children: (settings: TaggedSettings) => ReactNode }) {
  const { data, error, refetch } = useSettings();
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return data === undefined ? <LinesSkeleton /> : children({ settings: data.data, tag: data.tag });
}

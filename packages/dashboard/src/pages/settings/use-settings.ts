import type { SettingsAnswer, SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';

export function useSettings() {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ledger.settings.get({ signal }),
  });
}

/** Changes settings. Figures that rest on them are read again. */
export function useSave(onSaved: (settings: SettingsAnswer) => void = () => undefined) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: SettingsPatch) => ledger.settings.update(patch),
    onSuccess: async (settings) => {
      notifications.show({ message: 'Saved' });
      onSaved(settings);
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['settings'] }),
        queries.invalidateQueries({ queryKey: ['figures'] }),
      ]);
    },
  });
}

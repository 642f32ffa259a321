import type { SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../app/session/context.ts';

/** Changes the settings of connections that have this tag: lists of them are replaced as a whole. */
export function useSaveConnections(tag: string, message: string, onDone: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: Pick<SettingsPatch, 'accounting' | 'stripe'>) =>
      ledger.settings.update(patch, { ifMatch: tag }),
    onSuccess: async () => {
      onDone();
      notifications.show({ message });
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['settings'] }),
        queries.invalidateQueries({ queryKey: ['connections'] }),
      ]);
    },
  });
}

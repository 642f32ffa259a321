import type { SettingsAnswer, SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { settingsOf } from '../../components/saving-settings.tsx';

/** Settings, and what identifies them. */
export interface TaggedSettings {
  readonly settings: SettingsAnswer;
  readonly tag: string;
}

function useSettings() {
  return useQuery(settingsOf(useLedger()));
}

/**
 * What a person has typed over settings. It stays when others change the settings; fields that were not
 * touched follow them. The tag stays that of the settings that the person saw, until newer ones are loaded.
 */
export function useEdits<Values extends object>(values: Values, tag: string) {
  const [edits, setEdits] = useState<Partial<Values>>({});
  const [seen, setSeen] = useState<string | null>(null);
  return {
    values: { ...values, ...edits },
    edits,
    tag: seen ?? tag,
    edit(part: Partial<Values>) {
      setSeen(seen ?? tag);
      setEdits((now) => ({ ...now, ...part }));
    },
    /** Newer settings are shown. */
    rebase: () => setSeen(null),
    /** They were saved, and the settings read again: drops them, but not what was typed since. */
    clear() {
      setSeen(null);
      setEdits((now) => without(now, edits));
    },
  };
}

/** The values that differ from those that were saved. */
function without<Values extends object>(
  now: Partial<Values>,
  saved: Partial<Values>,
): Partial<Values> {
  const kept: Partial<Values> = { ...now };
  for (const name in saved) if (kept[name] === saved[name]) delete kept[name];
  return kept;
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
        queries.invalidateQueries({ queryKey: ['settings'] }),
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

import { Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../app/session/context.tsx';
import { ErrorPanel } from './load-states.tsx';
import { type RateChange, withoutChange } from './rates.ts';
import { Undo } from './undo.tsx';

/** Reads again what exchange rates change: nearly everything. */
export async function refreshRates(queries: QueryClient): Promise<void> {
  queries.removeQueries({ queryKey: ['pnl-rows'], type: 'inactive' });
  await queries.invalidateQueries();
}

interface UndoRateProps {
  readonly change: RateChange;
  readonly onDone: () => void;
}

/** Takes back a change of an exchange rate that was just made: the former rate applies again, or none. */
export function UndoRate({ change, onDone }: UndoRateProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const undoing = useMutation({
    mutationFn: async () => {
      const { data, tag } = await ledger.settings.getTagged();
      const rates = withoutChange(data.exchange_rates, change);
      if (rates !== null) await ledger.settings.update({ exchange_rates: rates }, { ifMatch: tag });
      return rates !== null;
    },
    onSuccess: async (isUndone) => {
      if (!isUndone) return;
      onDone();
      notifications.show({ message: 'The rate is as it was' });
      await refreshRates(queries);
    },
  });
  return (
    <>
      <Undo isPending={undoing.isPending} onUndo={() => undoing.mutate()}>
        {wordsOf(change)}
      </Undo>
      {undoing.data === false && (
        <Text size="sm" role="alert">
          Someone else has changed this rate since, so it stays.
        </Text>
      )}
      {undoing.error !== null && <ErrorPanel error={undoing.error} />}
    </>
  );
}

function wordsOf({ before, after }: RateChange): string {
  if (after !== null)
    return `One ${after.from} is ${after.rate} ${after.to} from ${after.date} on.`;
  return `The rate of ${before?.from} from ${before?.date} is removed.`;
}

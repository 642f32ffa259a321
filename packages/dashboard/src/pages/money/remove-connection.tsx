import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { useSaveConnections } from '../../components/save-connections.ts';
import { SaveError } from '../../components/save-error.tsx';
import { settingsOf } from '../../components/settings-query.ts';

/** Asks before an accounting connection is removed. */
export function RemoveConnection({ id, onDone }: { id: string; onDone: () => void }) {
  const { data } = useQuery(settingsOf(useLedger()));
  const saving = useSaveConnections(data?.tag ?? '', `${id} is removed`, onDone);
  const remove = () => {
    if (data === undefined) return;
    saving.mutate({ accounting: data.data.accounting.filter((one) => one.id !== id) });
  };
  return (
    <>
      <Text size="sm">
        The service stops polling it and deletes its secrets. The events that it recorded are kept.
      </Text>
      <SaveError saving={saving} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          Keep it
        </Button>
        <Button
          color="red.8"
          disabled={data === undefined}
          loading={saving.isPending}
          onClick={remove}
        >
          Remove the connection
        </Button>
      </Group>
    </>
  );
}

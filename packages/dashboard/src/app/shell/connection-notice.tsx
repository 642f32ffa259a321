import { Alert } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { useLiveState } from '../live/context.tsx';

/** Says that the page may be old while the service cannot be reached. */
export function ConnectionNotice() {
  if (useLiveState() !== 'lost') return null;
  return (
    <Alert
      color="orange"
      radius={0}
      py="xs"
      icon={<Icon name="warning" />}
      title="The connection is lost"
      data-screen-only
    >
      The page shows what was last loaded. It is updated as soon as the service can be reached.
    </Alert>
  );
}

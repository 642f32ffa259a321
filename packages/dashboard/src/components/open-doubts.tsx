import { useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../app/session/context.tsx';
import { Count } from './count.tsx';
import { openDoubtsOf } from './shared-queries.ts';

/** How many events may report the same money as others. */
export function OpenDoubts() {
  const enabled = useCan('read');
  const { data } = useQuery({ ...openDoubtsOf(useLedger()), enabled });
  if (data === undefined || data.open === 0) return null;
  return <Count count={data.open} label="events in doubt" />;
}

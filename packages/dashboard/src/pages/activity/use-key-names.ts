import { useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../../app/session/context.ts';

const MOST = 500;
const NONE: ReadonlyMap<string, string> = new Map();

/** The names of keys by their id, for those who may read them. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const ledger = useLedger();
  const enabled = useCan('admin');
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: async ({ signal }) => {
      const keys = await ledger.keys.list({}, { signal }).toArray(MOST);
      return new Map(keys.map(({ key_id, name }) => [key_id, name]));
    },
    enabled,
  });
  return data ?? NONE;
}

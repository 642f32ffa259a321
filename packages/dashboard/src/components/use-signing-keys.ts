import type { SigningKey } from '@decision-ledger/client/api/signing-key';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useLedger } from '../app/session/context.ts';

/** All signing keys, the newest first. The first export makes one, hence the name of the query. */
export function useSigningKeys(): UseQueryResult<readonly SigningKey[]> {
  const ledger = useLedger();
  return useQuery({
    queryKey: ['exports', 'signing-keys'],
    queryFn: ({ signal }) => ledger.operations.signingKeys({}, { signal }).toArray(100),
  });
}

import { LedgerError } from '@decision-ledger/contract/errors';

/** One connection of an organisation's quota. */
export interface Reservation {
  release(): void;
}

/** Counts the open connections of each organisation in this process. */
export interface ConnectionQuota {
  /** @throws LedgerError `rate_limited` when the organisation has `limit` connections */
  reserve(orgId: string, limit: number): Reservation;
}

const RETRY_SECONDS = '10';

export function connectionQuota(): ConnectionQuota {
  const open = new Map<string, number>();
  return {
    reserve(orgId, limit) {
      const count = open.get(orgId) ?? 0;
      if (count >= limit) throw tooMany(limit);
      open.set(orgId, count + 1);
      let isReleased = false;
      return {
        release() {
          if (isReleased) return;
          isReleased = true;
          const left = (open.get(orgId) ?? 0) - 1;
          if (left > 0) open.set(orgId, left);
          else open.delete(orgId);
        },
      };
    },
  };
}

function tooMany(limit: number): LedgerError {
  return new LedgerError(
    'rate_limited',
    `the organisation has ${limit} connections open here: close one, or raise stream.max_connections`,
    { headers: { 'retry-after': RETRY_SECONDS } },
  );
}

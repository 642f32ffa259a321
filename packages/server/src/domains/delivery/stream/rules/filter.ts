import { invalidField } from '@decision-ledger/contract/errors';
import {
  isStreamType,
  STREAM_TYPES,
  type StreamQuery,
  type StreamType,
} from '@decision-ledger/contract/stream';

/** Which events a connection is sent; null does not narrow. */
export interface StreamFilter {
  readonly types: ReadonlySet<StreamType> | null;
  readonly agentId: string | null;
}

const EVENTS = STREAM_TYPES.filter((type) => type !== 'heartbeat');

/** @throws LedgerError `validation_error` for a type that there is not */
export function readFilter({ types, agent_id }: StreamQuery): StreamFilter {
  const agentId = agent_id ?? null;
  if (types === undefined) return { types: null, agentId };
  const wanted = new Set<StreamType>();
  for (const name of types.split(',')) {
    if (!isStreamType(name) || name === 'heartbeat') {
      throw invalidField('types', `must be a list, with commas between, of ${EVENTS.join(', ')}`);
    }
    wanted.add(name);
  }
  return { types: wanted, agentId };
}

/** Events that are about no decision belong to no agent; heartbeats are for all. */
export function passes(
  { types, agentId }: StreamFilter,
  event: { readonly type: StreamType; readonly agentId: string | null },
): boolean {
  if (event.type === 'heartbeat') return true;
  if (types !== null && !types.has(event.type)) return false;
  return agentId === null || agentId === event.agentId;
}

import { invalidField } from '@decision-ledger/contract/errors';
import type { StreamQuery } from '@decision-ledger/contract/stream';
import {
  SELECTABLE_TYPES,
  type StreamType,
  streamEventOf,
} from '@decision-ledger/contract/stream-events';

/** The events that a connection is sent. Null selects all. */
export interface StreamFilter {
  readonly types: ReadonlySet<StreamType> | null;
  readonly agentId: string | null;
}

export const UNFILTERED: StreamFilter = { types: null, agentId: null };

/** @throws LedgerError `validation_error` for an unknown type */
export function readStreamFilter({ types, agent_id }: StreamQuery): StreamFilter {
  const agentId = agent_id ?? null;
  if (types === undefined) return { types: null, agentId };
  const wanted = new Set<StreamType>();
  for (const name of types.split(',')) {
    const type = streamEventOf(name)?.type;
    if (type === undefined || !SELECTABLE_TYPES.includes(type)) {
      const list = SELECTABLE_TYPES.join(', ');
      throw invalidField('types', `must be a list, with commas between, of ${list}`);
    }
    wanted.add(type);
  }
  return { types: wanted, agentId };
}

/** Heartbeats always pass. An event about no decision belongs to no agent. */
export function passesFilter(
  { types, agentId }: StreamFilter,
  event: { readonly type: StreamType; readonly agentId: string | null },
): boolean {
  if (event.type === 'heartbeat') return true;
  if (types !== null && !types.has(event.type)) return false;
  return agentId === null || agentId === event.agentId;
}

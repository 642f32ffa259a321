import { typesAbout } from '@decision-ledger/proof/activity-types';
import { replayEvent } from '@decision-ledger/proof/replay/events';
import { LINK_MAKINGS, replayLink } from '@decision-ledger/proof/replay/links';
import {
  briefText,
  type RecordedChange,
  type RecordState,
} from '@decision-ledger/proof/replay/state';
import type { RowTableName } from '../../../../tables/recorded-tables.js';

/** How the rows of a table follow from their records. */
export interface TableReplay {
  /** The types of the first record of an object. */
  readonly makings: readonly string[];
  /** The types of all records that change a row. */
  readonly types: readonly string[];
  /** The state of a row after its records, oldest first. */
  replay(changes: readonly RecordedChange[]): RecordState;
}

/** For each table, the rules by which its rows are rebuilt. */
export const REPLAYS: Readonly<Record<RowTableName, TableReplay>> = {
  financial_events: {
    makings: ['financial_event.recorded'],
    types: typesAbout('event'),
    replay: replayEvent,
  },
  links: {
    makings: LINK_MAKINGS,
    types: typesAbout('link'),
    replay: replayRow,
  },
  api_keys: {
    makings: ['key.issued'],
    types: typesAbout('key'),
    replay: replayKey,
  },
  sessions: {
    makings: ['session.created'],
    types: typesAbout('session'),
    replay: replaySession,
  },
  exports: {
    makings: ['export.made'],
    types: ['export.made'],
    replay: replayExport,
  },
  closed_months: {
    makings: ['month.closed'],
    types: ['month.closed'],
    replay: replayMonth,
  },
};

function replayRow(changes: readonly RecordedChange[]): RecordState {
  // A link that was carried over states by itself what it takes from the one that it replaces.
  const state = replayLink(changes, null);
  return state.set('event_id', state.get('financial_event_id') ?? null);
}

function member({ data }: RecordedChange, name: string): string | null {
  const text = data.get(name);
  return text === undefined || text === 'null' ? null : text;
}

function replayKey(changes: readonly RecordedChange[]): RecordState {
  const state: RecordState = new Map([['revoked_at', null]]);
  for (const change of changes) {
    if (change.type === 'key.revoked') {
      state.set('revoked_at', briefText(change.at));
      continue;
    }
    state.set('name', member(change, 'name'));
    state.set('created_at', briefText(change.at));
    state.set('expires_at', member(change, 'expires_at'));
    state.set('key_hash', member(change, 'key_digest'));
    state.set('permissions', member(change, 'permissions'));
    state.set('agents', member(change, 'agents'));
  }
  return state;
}

function replaySession(changes: readonly RecordedChange[]): RecordState {
  const state: RecordState = new Map([['revoked_at', null]]);
  for (const change of changes) {
    if (change.type === 'session.revoked') {
      state.set('revoked_at', briefText(change.at));
      continue;
    }
    for (const name of ['name', 'permissions', 'expires_at']) state.set(name, member(change, name));
    state.set('key_id', briefText(change.actor));
    state.set('created_at', briefText(change.at));
    state.set('token_hash', member(change, 'token_digest'));
  }
  return state;
}

function replayExport(changes: readonly RecordedChange[]): RecordState {
  const state: RecordState = new Map();
  for (const change of changes) {
    const stated = ['export_type', 'agent_id', 'filter_commitment', 'bytes', 'sha256'];
    for (const name of [...stated, 'key_fingerprint']) {
      state.set(name, member(change, name));
    }
    state.set('range_start', member(change, 'start_date'));
    state.set('range_end', member(change, 'end_date'));
    state.set('requested_by', briefText(change.actor));
  }
  return state;
}

function replayMonth(changes: readonly RecordedChange[]): RecordState {
  const state: RecordState = new Map();
  for (const change of changes) {
    state.set('closed_at', briefText(change.at));
    for (const name of ['activity_seq', 'activity_hash', 'figures'])
      state.set(name, member(change, name));
  }
  return state;
}

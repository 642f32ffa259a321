import { claimed, derived, fixed, type Tables, unchecked } from './column.js';

/** The chains, and what is told of a ledger. */
export const LOG_TABLES: Tables = {
  chains: {
    owner: 'platform/chain',
    columns: fixed('fact', 'chain', 'chain', 'epoch', 'genesis', 'genesis_hash', 'ledger_id'),
  },
  chain_heads: {
    owner: 'platform/chain',
    columns: fixed('fact', 'chain', 'chain', 'created_at', 'epoch', 'hash', 'ledger_id', 'seq'),
  },
  decisions: {
    owner: 'record/decisions',
    columns: {
      ...fixed(
        ...(['fact', 'chain', 'action_type', 'agent_id', 'alternatives', 'confidence'] as const),
        ...['created_at', 'decision_id', 'entry', 'epoch', 'hash', 'human_in_loop', 'inputs'],
        ...['ledger_id', 'metadata', 'outputs', 'prev_hash', 'seq', 'timestamp'],
      ),
      ...derived('chain', 'terms'),
      ...claimed(
        'published',
        'the answer to the append rests on it, and no entry states it',
        'estimate_snapshot',
      ),
    },
  },
  activity: {
    owner: 'log/activity',
    columns: fixed(
      ...(['fact', 'chain', 'activity_id', 'actor', 'created_at', 'data', 'entry'] as const),
      ...['epoch', 'hash', 'ledger_id', 'prev_hash', 'seq', 'subject', 'type', 'when'],
    ),
  },
  follower_positions: {
    owner: 'platform/followers',
    columns: unchecked(
      'operational',
      'up to where the chains were followed',
      ...['failed_at', 'failures', 'follower', 'ledger_id', 'log', 'reason', 'retry_at', 'seq'],
    ),
  },
  follower_failures: {
    owner: 'platform/followers',
    columns: unchecked(
      'operational',
      'records that were passed over; whoever depends on them compares its own rows',
      ...['failed_at', 'follower', 'ledger_id', 'log', 'reason', 'seq'],
    ),
  },
  due_work: {
    owner: 'platform/followers',
    columns: unchecked(
      'operational',
      'what followers have to do',
      ...['due_at', 'failed_at', 'failures', 'follower', 'ledger_id', 'progress', 'reason'],
      ...['since', 'subject'],
    ),
  },
  idempotency_keys: {
    owner: 'platform/idempotency',
    columns: claimed(
      'published',
      'the answer to a repeated request; what it says was recorded is in the chain',
      ...['created_at', 'key_mac', 'ledger_id', 'request_mac', 'response'],
    ),
  },
  announcement_heads: {
    owner: 'log/announcements',
    columns: claimed(
      'published',
      'the positions of a log that is not evidence',
      ...['ledger_id', 'pruned_seq', 'seq'],
    ),
  },
  announcements: {
    owner: 'log/announcements',
    columns: claimed(
      'published',
      'messages of the stream, which are deleted after a week',
      ...['created_at', 'data', 'ledger_id', 'seq', 'subject', 'type'],
    ),
  },
  verifications: {
    owner: 'log/announcements',
    columns: claimed(
      'published',
      'the result of the last verification, for display: whoever doubts it verifies again',
      ...['chain', 'erased_fields', 'head_hash', 'head_seq', 'is_valid', 'ledger_id'],
      ...['records_checked', 'verified_at'],
    ),
  },
  alert_states: {
    owner: 'delivery/alerts',
    columns: unchecked(
      'operational',
      'which alerts were sent',
      ...['ledger_id', 'state', 'updated_at'],
    ),
  },
  alerts: {
    owner: 'delivery/alerts',
    columns: unchecked(
      'operational',
      'messages to operators',
      ...['alert_id', 'claimed_at', 'created_at', 'delivered_at', 'ledger_id', 'payload'],
    ),
  },
};

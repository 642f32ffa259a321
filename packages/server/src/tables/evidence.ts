import { claimed, fixed, recorded, type Tables, unchecked } from './column.js';
import { ROW_TABLES } from './recorded-tables.js';

const TRANSPARENCY = 'evidence/transparency';

/** Published months, exports, comparisons, restores and transparency logs. */
export const EVIDENCE_TABLES: Tables = {
  closed_months: {
    owner: 'answers/analytics',
    columns: recorded('published', ROW_TABLES.closed_months),
  },
  month_restatements: {
    owner: 'answers/analytics',
    columns: {
      ...fixed('published', 'identity', 'ledger_id', 'month', 'restated_at'),
      ...fixed('published', 'entry', 'activity_hash', 'activity_seq', 'changes', 'explanation'),
      ...fixed('published', 'entry', 'figures'),
      ...claimed('published', 'the night of the run; restated_at is recorded', 'run_day'),
    },
  },
  closing_states: {
    owner: 'answers/analytics',
    columns: unchecked(
      'operational',
      'the progress of nightly runs',
      ...['activity_seq', 'ledger_id', 'open_month', 'run_day'],
    ),
  },
  unfinished_rebuilds: {
    owner: 'platform/projections',
    columns: unchecked(
      'operational',
      'what a rebuild has begun and not finished',
      ...['ledger_id', 'projection'],
    ),
  },
  exports: {
    owner: 'evidence/exports',
    columns: {
      ...recorded('fact', ROW_TABLES.exports),
      ...claimed(
        'fact',
        'what filter_commitment commits to, until the file is removed; the verifier opens it',
        'filter',
      ),
      ...claimed(
        'fact',
        'the signed manifest of the bundle states it',
        ...['activity_seq', 'decisions', 'range_basis'],
      ),
      ...claimed(
        'fact',
        'the chain records the request and the bundle at times of their own',
        ...['completed_at', 'created_at'],
      ),
      ...claimed('fact', 'follows from the ledger', 'org_id'),
      ...unchecked(
        'operational',
        'the progress of an export, and where its file is',
        ...['expires_at', 'failures', 'file', 'is_large', 'reason', 'status', 'total', 'written'],
      ),
    },
  },
  reconciliations: {
    owner: 'evidence/reconciliation',
    columns: claimed(
      'published',
      'the result of the last comparison, for alerts: whoever doubts it compares again',
      ...['activity_seq', 'finished_at', 'findings', 'first_finding', 'ledger_id', 'run_day'],
    ),
  },
  restored_ledgers: {
    owner: 'evidence/restores',
    columns: claimed(
      'fact',
      'what was found after a restore; the acceptance is chained',
      ...['accepted_at', 'accepts_fork', 'backup_made_at', 'expected_hash', 'expected_seq'],
      ...['found_at', 'from_hash', 'from_seq', 'ledger_id', 'withdrawn_at'],
    ),
  },
  tlogs: {
    owner: TRANSPARENCY,
    columns: {
      ...fixed('published', 'identity', 'chain', 'generation', 'ledger_id'),
      ...fixed('published', 'checkpoint', 'origin'),
      ...claimed(
        'published',
        'the chain records the start of a log at a time of its own',
        ...['closed_at', 'created_at'],
      ),
      ...unchecked(
        'derived',
        'the tree of the records, which the nightly rebuild of a log computes again',
        ...['frontier', 'size'],
      ),
      ...unchecked(
        'operational',
        'when the log was rebuilt last, and why no checkpoint is signed',
        ...['fault', 'rebuilt_at'],
      ),
    },
  },
  tlog_keys: {
    owner: TRANSPARENCY,
    columns: {
      ...fixed('fact', 'identity', 'chain', 'generation', 'ledger_id'),
      ...fixed('fact', 'checkpoint', 'public_key'),
      ...claimed('fact', 'the chain records the key at a time of its own', 'created_at'),
      ...claimed('fact', 'a wrong one signs nothing that its public key verifies', 'private_key'),
    },
  },
  tlog_tiles: {
    owner: TRANSPARENCY,
    columns: unchecked(
      'derived',
      'hashes of the records, which the nightly rebuild of a log computes again',
      ...['chain', 'generation', 'hashes', 'ledger_id', 'level', 'tile'],
    ),
  },
  checkpoints: {
    owner: TRANSPARENCY,
    columns: {
      ...fixed('published', 'identity', 'chain', 'generation', 'ledger_id'),
      ...fixed('published', 'checkpoint', 'note', 'root', 'size'),
      ...claimed('published', 'a checkpoint states no time', 'created_at'),
    },
  },
  export_checkpoints: {
    owner: TRANSPARENCY,
    columns: unchecked(
      'operational',
      'which checkpoints are kept; a bundle holds its own',
      ...['chain', 'export_id', 'generation', 'ledger_id', 'size'],
    ),
  },
};

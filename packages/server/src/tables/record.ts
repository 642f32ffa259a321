import { claimed, derived, fixed, recorded, sealed, type Tables, unchecked } from './column.js';
import { ROW_TABLES } from './recorded-tables.js';
import { SEALED_TABLES } from './sealed-tables.js';

/** What is recorded of money and its causes, and what sources delivered. */
export const RECORD_TABLES: Tables = {
  financial_events: {
    owner: 'record/financial-events',
    columns: {
      ...recorded('fact', ROW_TABLES.financial_events),
      ...derived('recomputed', 'counted_amount', 'kind', 'lead_id', 'may_include_tax'),
      ...derived('recomputed', 'standing', 'uncounted_amount'),
    },
  },
  former_counts: {
    owner: 'record/financial-events',
    columns: unchecked(
      'operational',
      'what events counted with when their month was published last: the next restatement explains itself by it',
      ...['activity_seq', 'counted_amount', 'event_id', 'ledger_id', 'links', 'timestamp'],
    ),
  },
  money_keys: {
    owner: 'record/movements',
    columns: unchecked(
      'operational',
      'by what events are found that may report the same money as others, as they were compared last',
      ...['event_id', 'key', 'ledger_id', 'timestamp'],
    ),
  },
  added_reports: {
    owner: 'record/movements',
    columns: unchecked(
      'operational',
      'in which totals reports are, as they were compared last; totals ask questions and decide no figure',
      ...['day', 'event_id', 'key', 'kind', 'ledger_id', 'sign', 'timestamp'],
    ),
  },
  period_totals: {
    owner: 'record/movements',
    columns: unchecked(
      'operational',
      'what the reports of a day add up to, by which sums are asked about; it decides no figure',
      ...['amount', 'count', 'currency', 'day', 'kind', 'ledger_id', 'sign', 'source'],
    ),
  },
  same_money: {
    owner: 'record/movements',
    columns: unchecked(
      'operational',
      'which events may report the same money as others; that is looked up again when they are listed',
      ...['event_id', 'ledger_id', 'timestamp'],
    ),
  },
  links: {
    owner: 'record/links',
    columns: {
      ...recorded('fact', ROW_TABLES.links),
      ...fixed('published', 'entry', 'correlation_strength', 'label', 'score'),
      ...claimed(
        'published',
        'the place in the list of suggestions, with the exchange rates of the time of the suggestion',
        'review_priority',
      ),
    },
  },
  link_reviews: {
    owner: 'judgement/attribution',
    columns: {
      ...derived('identity', 'ledger_id', 'link_id', 'verdict'),
      ...derived('recomputed', 'action_type', 'agent_id', 'currency', 'event_type', 'lag_hours'),
      ...derived('recomputed', 'created_at', 'magnitude'),
    },
  },
  event_reviews: {
    owner: 'judgement/attribution',
    columns: {
      ...sealed('fact', SEALED_TABLES.event_reviews),
      ...claimed(
        'fact',
        'who is shown with an answer; the chain records its author',
        'answered_by',
      ),
    },
  },
  uploads: {
    owner: 'record/uploads',
    columns: {
      ...fixed('fact', 'identity', 'ledger_id', 'upload_id'),
      ...fixed('fact', 'chain', 'field', 'seq', 'sha256', 'size'),
      ...claimed('fact', 'a wrong one opens nothing', 'sealed_key'),
      ...unchecked(
        'operational',
        'how an upload arrived; what the decision states of it is in the chain',
        ...['created_at', 'expires_at', 'media_type', 'received', 'value'],
      ),
    },
  },
  upload_chunks: {
    owner: 'record/uploads',
    columns: {
      ...fixed('fact', 'identity', 'ledger_id', 'upload_id', 'start'),
      ...fixed('fact', 'chain', 'bytes'),
    },
  },
  experiment_assignments: {
    owner: 'record/decisions',
    columns: {
      ...derived('identity', 'ledger_id', 'seq'),
      ...derived('recomputed', 'arm', 'experiment_id', 'is_valid', 'propensity', 'timestamp'),
    },
  },
  running_costs: {
    owner: 'record/decisions',
    columns: {
      ...derived('identity', 'ledger_id', 'seq'),
      ...derived(
        'recomputed',
        ...['action_type', 'agent_id', 'amount', 'cached_tokens', 'currency', 'input_tokens'],
        ...['model', 'output_tokens', 'timestamp'],
      ),
    },
  },
  stripe_events: {
    owner: 'sources/stripe',
    columns: claimed(
      'fact',
      'deliveries, and what was read, that events were made of; the events have records',
      ...['charge_id', 'ledger_id', 'payload', 'received_at', 'received_by', 'stripe_event_id'],
    ),
  },
  accounting_connections: {
    owner: 'sources/accounting',
    columns: unchecked(
      'operational',
      'where a poll of an accounting system stopped, its refresh token, and what it withheld',
      ...['connection_id', 'cursor', 'ledger_id', 'polled_at', 'problem', 'problem_count'],
      ...['refresh_token', 'withheld'],
    ),
  },
  accounting_records: {
    owner: 'sources/accounting',
    columns: unchecked(
      'operational',
      'which external records were seen; events have their origin',
      ...['connection_id', 'event_id', 'fingerprint', 'is_deleted', 'ledger_id', 'record_key'],
    ),
  },
};

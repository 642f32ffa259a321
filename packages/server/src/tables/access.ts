import { claimed, fixed, recorded, type Tables, unchecked } from './column.js';
import { ROW_TABLES } from './recorded-tables.js';

/** Who has ledgers, who may use them, and the keys of the installation. */
export const ACCESS_TABLES: Tables = {
  organisations: {
    owner: 'access/organisations',
    columns: {
      ...fixed('fact', 'chain', 'org_id'),
      ...claimed('fact', 'a display name, and the time of registration', 'name', 'created_at'),
    },
  },
  ledgers: {
    owner: 'access/organisations',
    columns: {
      ...fixed('fact', 'chain', 'ledger_id', 'mode', 'org_id'),
      ...claimed('fact', 'the genesis of each chain names its own time', 'created_at'),
    },
  },
  api_keys: { owner: 'access/keys', columns: recorded('fact', ROW_TABLES.api_keys) },
  sessions: { owner: 'access/sessions', columns: recorded('fact', ROW_TABLES.sessions) },
  settings: {
    owner: 'access/settings',
    columns: {
      ...fixed('fact', 'identity', 'ledger_id'),
      ...fixed('fact', 'entry', 'document', 'updated_at'),
    },
  },
  stream_tickets: {
    owner: 'delivery/stream',
    columns: unchecked(
      'operational',
      'short-lived tickets',
      ...['expires_at', 'key_id', 'ledger_id', 'session_id', 'ticket_hash'],
    ),
  },
  span_groups: {
    owner: 'sources/otlp',
    columns: unchecked(
      'operational',
      'what arrived in the last day: counts and names that nothing rests on',
      ...['groups', 'ledger_id', 'stale_at'],
    ),
  },
  rate_leases: {
    owner: 'http/rate-limit',
    columns: unchecked('operational', 'rate limits', 'bucket', 'granted', 'org_id', 'tat'),
  },
  signing_keys: {
    owner: 'evidence/signing-keys',
    columns: {
      ...fixed('fact', 'identity', 'org_id', 'fingerprint'),
      ...fixed('fact', 'entry', 'public_key', 'retired_at'),
      ...claimed('fact', 'the chains of two ledgers record it at two times', 'created_at'),
      ...claimed('fact', 'a wrong one signs nothing that its public key verifies', 'private_key'),
    },
  },
  master_key: {
    owner: 'platform/keyring',
    columns: {
      ...claimed(
        'fact',
        'which key seals secrets: a wrong one opens nothing',
        ...['key_id', 'only_row'],
      ),
      ...unchecked(
        'operational',
        'how far a change of the master key is',
        ...['done_until', 'previous_key_id'],
      ),
    },
  },
  kept_keys: {
    owner: 'platform/keyring',
    columns: claimed(
      'fact',
      'sealed keys of the service: a wrong one cannot be opened',
      ...['purpose', 'sealed'],
    ),
  },
  installation: {
    owner: 'installation',
    columns: claimed(
      'fact',
      'compared with the certificate of the data folder at each start',
      ...['created_at', 'installation_id', 'only_row'],
    ),
  },
  schema_migrations: {
    owner: 'platform/migrate',
    columns: unchecked(
      'operational',
      'the state of the schema, compared with the migrations at each start',
      ...['applied_at', 'checksum', 'name', 'version'],
    ),
  },
};

-- Exports of evidence, and the keys that sign them.

-- An organisation's, whatever the mode. The private key is sealed under the master key.
create table signing_keys (
  org_id uuid not null references organisations (org_id),
  fingerprint text not null,
  public_key text not null,
  private_key bytea not null,
  created_at timestamptz(3) not null,
  retired_at timestamptz(3),
  primary key (org_id, fingerprint)
);
create unique index signing_keys_current on signing_keys (org_id) where retired_at is null;

-- written counts the records of its files so far, of total; activity_seq is the end of the chain of
-- activity when it began.
create table exports (
  ledger_id uuid not null references ledgers (ledger_id),
  export_id uuid not null,
  org_id uuid not null,
  export_type text not null check (export_type in ('forensic', 'compliance', 'insurance')),
  range_start timestamptz(3) not null,
  range_end timestamptz(3) not null,
  status text not null check (status in ('pending', 'running', 'complete', 'failed', 'expired')),
  requested_by text not null,
  is_large boolean not null,
  created_at timestamptz(3) not null,
  decisions bigint,
  total bigint not null,
  written bigint not null,
  failures integer not null,
  reason text,
  completed_at timestamptz(3),
  expires_at timestamptz(3),
  activity_seq bigint,
  file text,
  bytes bigint,
  sha256 text,
  key_fingerprint text,
  primary key (ledger_id, export_id)
);
create index exports_by_organisation on exports (org_id, created_at);
create index exports_by_expiry on exports (expires_at) where status = 'complete';

grant select, insert on signing_keys, exports to ledger_app;
grant update (retired_at) on signing_keys to ledger_app;
grant update (status, decisions, total, written, failures, reason, completed_at, expires_at,
  activity_seq, file, bytes, sha256, key_fingerprint) on exports to ledger_app;

-- Organisations, their two ledgers, the two chains of each, and what reaches them.

create table organisations (
  org_id uuid primary key,
  name text not null unique,
  created_at timestamptz(3) not null
);

create table ledgers (
  ledger_id uuid primary key,
  org_id uuid not null references organisations (org_id),
  mode text not null check (mode in ('live', 'test')),
  created_at timestamptz(3) not null,
  unique (org_id, mode)
);

-- Immutable: the genesis entry that the first record of a chain points back to.
create table chains (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  epoch integer not null,
  genesis text not null,
  genesis_hash bytea not null,
  primary key (ledger_id, chain)
);

-- One small hot row per chain; spare room in its page keeps its updates out of the index.
create table chain_heads (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  epoch integer not null,
  seq bigint not null check (seq >= 0),
  hash bytea not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain)
) with (fillfactor = 10);

-- entry holds the exact bytes that were hashed. The payload columns hold disclosures
-- ["salt","name",value], the texts that the commitments in the entry were made of.
-- terms holds hashes of the filters a decision answers to; it is derived, and verified like the rest.
create table decisions (
  ledger_id uuid not null,
  seq bigint not null check (seq >= 1),
  epoch integer not null,
  decision_id uuid not null,
  agent_id text not null,
  action_type text not null,
  confidence double precision not null,
  human_in_loop boolean not null,
  "timestamp" timestamptz(3) not null,
  created_at timestamptz(3) not null,
  entry text not null,
  hash bytea not null,
  prev_hash bytea not null,
  inputs text,
  outputs text,
  alternatives text,
  metadata text,
  terms integer[] not null,
  primary key (ledger_id, seq),
  unique (ledger_id, decision_id),
  unique (ledger_id, prev_hash)
);
create index decisions_by_time on decisions (ledger_id, "timestamp" desc, decision_id desc);
create index decisions_by_term on decisions using gin (terms);

create table activity (
  ledger_id uuid not null,
  seq bigint not null check (seq >= 1),
  epoch integer not null,
  activity_id uuid not null,
  type text not null,
  actor text not null,
  subject text not null,
  created_at timestamptz(3) not null,
  entry text not null,
  hash bytea not null,
  prev_hash bytea not null,
  data text,
  primary key (ledger_id, seq),
  unique (ledger_id, activity_id),
  unique (ledger_id, prev_hash)
);
create index activity_by_subject on activity (ledger_id, subject, seq desc);

-- Keyed hashes only, so that nothing can be guessed back from them after an erasure.
create table idempotency_keys (
  ledger_id uuid not null,
  key_mac bytea not null,
  request_mac bytea not null,
  response text not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, key_mac)
);

create table api_keys (
  ledger_id uuid not null references ledgers (ledger_id),
  key_id uuid not null,
  name text not null,
  permissions text[] not null,
  key_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (ledger_id, key_id)
);

create table settings (
  ledger_id uuid primary key references ledgers (ledger_id),
  document text not null,
  updated_at timestamptz(3) not null
);

-- How far each organisation's allowance is spent, in ms of the database clock.
create table rate_leases (
  org_id uuid not null,
  bucket text not null,
  tat double precision not null,
  granted integer not null,
  primary key (org_id, bucket)
);

grant select, insert on organisations, ledgers, chains, decisions, activity, idempotency_keys
  to ledger_app;
grant select, insert, update on chain_heads, settings, rate_leases to ledger_app;
grant select, insert on api_keys to ledger_app;
grant update (revoked_at) on api_keys to ledger_app;
grant select on schema_migrations to ledger_app;

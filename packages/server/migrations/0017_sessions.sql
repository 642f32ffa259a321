-- Sessions of people: short-lived tokens with at most the permissions of the key that opened them.

-- Only hashes of tokens. A session ends with its key.
create table sessions (
  ledger_id uuid not null references ledgers (ledger_id),
  session_id uuid not null,
  key_id uuid not null,
  name text not null,
  permissions text[] not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (ledger_id, session_id),
  foreign key (ledger_id, key_id) references api_keys (ledger_id, key_id)
);

-- A ticket stands for the session that asked for it, or else for the key.
alter table stream_tickets add column session_id uuid;

grant select, insert on sessions to ledger_app;
grant update (revoked_at) on sessions to ledger_app;

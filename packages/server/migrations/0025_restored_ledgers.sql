-- Ledgers that were restored from a backup that lacks records that are known to have existed. The service does not start
-- until the loss is accepted, or withdrawn because the record was found. At most one row for each ledger: the last comparison that found a loss.
create table restored_ledgers (
  ledger_id uuid primary key references ledgers (ledger_id),
  -- The last decision that there is, and the one that was expected.
  from_seq bigint not null check (from_seq >= 0),
  from_hash bytea not null check (octet_length(from_hash) = 32),
  expected_seq bigint not null check (expected_seq >= 1),
  expected_hash bytea not null check (octet_length(expected_hash) = 32),
  backup_made_at timestamptz(3),
  found_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  -- Whether the operator lets the transparency logs go on, although they may have signed what was lost.
  accepts_fork boolean not null default false
);

grant select, insert on restored_ledgers to ledger_app;
grant update (from_seq, from_hash, expected_seq, expected_hash, backup_made_at, found_at, accepted_at, withdrawn_at,
  accepts_fork) on restored_ledgers to ledger_app;

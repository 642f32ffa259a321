-- The profit and loss of months that are over, as it was first published and as it was restated.

-- Append-only: figures is JSON. activity_seq and activity_hash name the last record of the activity
-- chain when the figures were made.
create table closed_months (
  ledger_id uuid not null,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  closed_at timestamptz(3) not null,
  activity_seq bigint not null,
  activity_hash bytea not null,
  figures text not null,
  primary key (ledger_id, month)
);

-- Append-only: at most one for each nightly run. changes is JSON: what differs from the figures before.
create table month_restatements (
  ledger_id uuid not null,
  month text not null,
  run_day date not null,
  restated_at timestamptz(3) not null,
  activity_seq bigint not null,
  activity_hash bytea not null,
  figures text not null,
  changes text not null,
  primary key (ledger_id, month, run_day),
  foreign key (ledger_id, month) references closed_months (ledger_id, month)
);

-- The last nightly run of a ledger, and the last record of the activity chain that it has seen.
create table closing_states (
  ledger_id uuid primary key,
  run_day date not null,
  activity_seq bigint not null
);

grant select, insert on closed_months, month_restatements to ledger_app;
grant select, insert, update on closing_states to ledger_app;

-- Audited quality: whether suggestions may be labelled `matched`, and drift of what scores rest on.

-- checked_day (days since the epoch) and checked_reviews say up to where quality was checked last.
alter table attribution_states
  add column label_withdrawn boolean not null default false,
  add column label_changed_at timestamptz(3),
  add column checked_day integer,
  add column checked_reviews bigint not null default 0;

-- Of the event when it was scored last before people said anything of it; null if it never was. lag_hours
-- is that of its best suggestion, null without one.
alter table event_scores
  add column shares_identifier boolean,
  add column lag_hours double precision,
  add column best_share double precision;

-- Append-only: months that differ from those before. found numbers those of a ledger.
create table attribution_drifts (
  ledger_id uuid not null,
  found integer not null,
  detected_at timestamptz(3) not null,
  month date not null,
  metric text not null check (metric in ('identifier_coverage', 'lag', 'share')),
  data text not null,
  primary key (ledger_id, found),
  unique (ledger_id, month, metric)
);

grant select, insert on attribution_drifts to ledger_app;

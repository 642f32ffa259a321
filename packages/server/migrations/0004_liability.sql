-- What decisions could still cost, what their links move, and what is told of both.

-- What estimates are made with: the settings and the experience of one time. Kept for ever, so that
-- any estimate can be worked out again.
create table liability_snapshots (
  ledger_id uuid not null,
  snapshot_id integer not null,
  version text not null,
  currency text not null,
  settings text not null,
  experience text not null,
  taken_at timestamptz(3) not null,
  primary key (ledger_id, snapshot_id)
);

-- The estimate of each decision that holds, with the facts that it follows from. No foreign key to
-- decisions: it is written in the transaction that records the decision, or for one that is there.
create table liability_estimates (
  ledger_id uuid not null,
  seq bigint not null,
  decision_id uuid not null,
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  confidence double precision not null,
  oversight text not null check (oversight in ('none', 'human_in_loop', 'reviewer')),
  stated_amount numeric,
  stated_currency text,
  revision integer not null,
  snapshot_id integer not null,
  estimated_at timestamptz(3) not null,
  exposure numeric not null,
  low numeric not null,
  high numeric not null,
  base_rate double precision not null,
  confidence_factor double precision not null,
  human_factor double precision not null,
  loss_probability double precision not null,
  amount_at_risk numeric not null,
  amount_basis text not null check (amount_basis in ('stated', 'linked', 'median', 'matrix')),
  severity double precision not null,
  stake numeric not null,
  open_share double precision not null,
  realised numeric not null,
  unconverted integer not null,
  primary key (ledger_id, seq)
);
create index liability_estimates_by_exposure on liability_estimates
  (ledger_id, exposure desc, seq desc);

-- Append-only: estimates that no longer hold.
create table liability_history (
  ledger_id uuid not null,
  seq bigint not null,
  revision integer not null,
  snapshot_id integer not null,
  estimated_at timestamptz(3) not null,
  exposure numeric not null,
  low numeric not null,
  high numeric not null,
  base_rate double precision not null,
  confidence_factor double precision not null,
  human_factor double precision not null,
  loss_probability double precision not null,
  amount_at_risk numeric not null,
  amount_basis text not null,
  severity double precision not null,
  open_share double precision not null,
  realised numeric not null,
  unconverted integer not null,
  primary key (ledger_id, seq, revision)
);

-- Locked by whoever changes estimates. Decisions up to rolled_seq have one, and are summed up in
-- exposure_cells; one behind it lacks its own where an earlier release recorded it. currency is that
-- of all estimates; null while some are in another, and no sum of them means anything.
create table liability_states (
  ledger_id uuid primary key,
  rolled_seq bigint not null,
  currency text,
  run_day date,
  run_as_of timestamptz(3),
  run_snapshot integer,
  run_after_seq bigint,
  run_until_seq bigint,
  completed_day date
);

-- Sums over the decisions of an hour (UTC). squares sums the squares of exposure − realised.
create table exposure_cells (
  ledger_id uuid not null,
  hour timestamptz(0) not null,
  agent_id text not null,
  action_type text not null,
  decisions integer not null,
  confidence double precision not null,
  overseen integer not null,
  exposure numeric not null,
  realised numeric not null,
  squares numeric not null,
  stake numeric not null,
  unconverted integer not null,
  primary key (ledger_id, hour, agent_id, action_type)
);

-- Append-only: how the exposure stood after each nightly run.
create table exposure_days (
  ledger_id uuid not null,
  day date not null,
  agent_id text not null,
  action_type text not null,
  currency text not null,
  decisions integer not null,
  exposure numeric not null,
  realised numeric not null,
  primary key (ledger_id, day, agent_id, action_type)
);

-- What each link that stands moves of its event, with the sign that it counts with.
create table link_allocations (
  ledger_id uuid not null,
  link_id uuid not null,
  event_id uuid not null,
  decision_seq bigint not null,
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  link_type text not null,
  is_confirmed boolean not null,
  currency text not null,
  share numeric not null,
  amount numeric not null,
  primary key (ledger_id, link_id),
  foreign key (ledger_id, link_id) references links (ledger_id, link_id)
);
create index link_allocations_by_event on link_allocations (ledger_id, event_id);
create index link_allocations_by_decision on link_allocations (ledger_id, decision_seq);
create index link_allocations_by_time on link_allocations (ledger_id, "timestamp");

-- Told, and no evidence: unhashed, numbered without a gap, pruned after some days.
create table announcement_heads (
  ledger_id uuid primary key,
  seq bigint not null
);

create table announcements (
  ledger_id uuid not null,
  seq bigint not null,
  type text not null,
  subject text not null,
  data text not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, seq)
);

insert into link_allocations
  select s.ledger_id, s.link_id, s.event_id, d.seq, d.agent_id, d.action_type, e."timestamp",
    s.link_type, s.is_confirmed, e.currency, s.share, s.share * case
      when s.link_type in ('revenue', 'saving') then e.amount
      when e.event_type ~* '(reversal|reversed|recovery|reinstated)' then abs(e.amount)
      else -abs(e.amount) end
  from (
    select l.*, l.status <> 'ML_SUGGESTED' as is_confirmed,
      l.correlation_strength / greatest(1, sum(l.correlation_strength)
        over (partition by l.ledger_id, l.event_id)) as share
    from links l where l.deleted_at is null
  ) s
  join financial_events e on e.ledger_id = s.ledger_id and e.event_id = s.event_id
  join decisions d on d.ledger_id = s.ledger_id and d.decision_id = s.decision_id
  where e.deleted_at is null;

grant select, insert on liability_snapshots, liability_history, exposure_days to ledger_app;
grant select, insert, update on liability_states, exposure_cells, announcement_heads to ledger_app;
grant select, insert on liability_estimates to ledger_app;
grant update (revision, snapshot_id, estimated_at, exposure, low, high, base_rate, confidence_factor,
  human_factor, loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
  unconverted) on liability_estimates to ledger_app;
grant select, insert, delete on link_allocations, announcements to ledger_app;

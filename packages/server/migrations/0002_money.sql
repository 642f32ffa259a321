-- Financial events, the links between them and decisions, and what feeds both in the background.

-- amount keeps the digits as they were sent: NUMERIC preserves trailing zeros.
-- origin names what an event was made from (a processor's object and kind, an accounting record's
-- version), so that the same thing read twice is recorded once.
create table financial_events (
  ledger_id uuid not null,
  event_id uuid not null,
  source text not null,
  event_type text not null,
  amount numeric not null,
  currency text not null,
  external_id text,
  "timestamp" timestamptz(3) not null,
  description text,
  metadata text,
  origin text,
  supersedes uuid,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  superseded_by uuid,
  correlated_at timestamptz(3),
  primary key (ledger_id, event_id),
  unique (ledger_id, origin),
  foreign key (ledger_id, supersedes) references financial_events (ledger_id, event_id),
  foreign key (ledger_id, superseded_by) references financial_events (ledger_id, event_id)
    deferrable initially deferred
);
create index financial_events_by_time on financial_events
  (ledger_id, "timestamp" desc, event_id desc);
create index financial_events_by_external_id on financial_events (ledger_id, external_id)
  where external_id is not null;
create index financial_events_to_correlate on financial_events (ledger_id, event_id)
  where correlated_at is null and deleted_at is null;

create table links (
  ledger_id uuid not null,
  link_id uuid not null,
  decision_id uuid not null,
  event_id uuid not null,
  correlation_strength numeric not null check (correlation_strength between 0 and 1),
  link_type text not null,
  attribution_method text not null,
  status text not null,
  notes text,
  score text,
  created_by text not null,
  created_at timestamptz(3) not null,
  reviewed_by text,
  reviewed_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (ledger_id, link_id),
  foreign key (ledger_id, decision_id) references decisions (ledger_id, decision_id),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);
create index links_by_time on links (ledger_id, created_at desc, link_id desc);
create index links_by_decision on links (ledger_id, decision_id);
create unique index links_once on links (ledger_id, event_id, decision_id, link_type)
  where deleted_at is null;

-- What the payment processor sent, cut down to what is read from it: the inbox of its webhook.
create table stripe_events (
  ledger_id uuid not null,
  stripe_event_id text not null,
  object_id text not null,
  payload text not null,
  received_by text not null,
  received_at timestamptz(3) not null,
  primary key (ledger_id, stripe_event_id)
);
create index stripe_events_by_object on stripe_events (ledger_id, object_id);

-- How far an accounting connection has been read. The refresh token is sealed.
create table accounting_connections (
  ledger_id uuid not null,
  connection_id text not null,
  cursor text,
  refresh_token bytea,
  polled_at timestamptz(3),
  problem text,
  primary key (ledger_id, connection_id)
);

-- The last content seen of each record of an accounting system, and the event it became.
create table accounting_records (
  ledger_id uuid not null,
  connection_id text not null,
  record_key text not null,
  fingerprint text not null,
  event_id uuid not null,
  is_deleted boolean not null,
  primary key (ledger_id, connection_id, record_key),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);

-- What was told of a ledger's background work, and what is still to be delivered.
create table alert_states (
  ledger_id uuid primary key references ledgers (ledger_id),
  state text not null,
  updated_at timestamptz(3) not null
);

create table alerts (
  ledger_id uuid not null,
  alert_id uuid not null,
  payload text not null,
  created_at timestamptz(3) not null,
  claimed_at timestamptz(3),
  delivered_at timestamptz(3),
  primary key (ledger_id, alert_id)
);

grant select, insert on financial_events, links, stripe_events, alerts to ledger_app;
grant update (deleted_at, superseded_by, correlated_at) on financial_events to ledger_app;
grant update (correlation_strength, status, score, reviewed_by, reviewed_at, deleted_at)
  on links to ledger_app;
grant update (claimed_at, delivered_at) on alerts to ledger_app;
grant select, insert, update on accounting_connections, accounting_records, alert_states
  to ledger_app;

-- What attribution knows of decisions, of values and of what people said of its suggestions.

-- What can be compared of a decision, as hashes: never the values themselves. tokens holds those that
-- candidates are looked up by.
create table decision_features (
  ledger_id uuid not null,
  seq bigint not null,
  decision_id uuid not null,
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  says_it_failed boolean not null,
  tokens integer[] not null,
  features bytea not null,
  primary key (ledger_id, seq)
);
create index decision_features_by_time on decision_features (ledger_id, "timestamp" desc);
create index decision_features_by_token on decision_features using gin (tokens);

-- How many decisions hold a value, estimated from a sample that thins out as the ledger grows.
create table token_frequencies (
  ledger_id uuid not null,
  token integer not null,
  decisions bigint not null,
  primary key (ledger_id, token)
);

-- Up to which decision features were extracted.
create table attribution_states (
  ledger_id uuid primary key references ledgers (ledger_id),
  features_seq bigint not null
);

-- Append-only: what people said of links. verdict `withdrawn` takes an earlier one back.
create table link_reviews (
  ledger_id uuid not null,
  review_id uuid not null,
  link_id uuid not null,
  verdict text not null check (verdict in ('confirmed', 'rejected', 'withdrawn')),
  agent_id text not null,
  action_type text not null,
  event_type text not null,
  currency text not null,
  magnitude numeric not null,
  lag_hours double precision not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, review_id),
  foreign key (ledger_id, link_id) references links (ledger_id, link_id)
);
create index link_reviews_by_link on link_reviews (ledger_id, link_id);

-- Whole counts by day: the replay of link_reviews.
create table agent_patterns (
  ledger_id uuid not null,
  event_type text not null,
  action_type text not null,
  agent_id text not null,
  day integer not null,
  confirmed integer not null,
  rejected integer not null,
  primary key (ledger_id, event_type, action_type, agent_id, day)
);

-- How much a review of a suggestion would teach; null for links that nobody suggested.
alter table links add column review_priority double precision;
create index links_by_event on links (ledger_id, event_id);
create index links_to_review on links (ledger_id, review_priority desc, link_id desc)
  where status = 'ML_SUGGESTED' and deleted_at is null;
grant update (review_priority) on links to ledger_app;

grant select, insert on decision_features, link_reviews to ledger_app;
grant select, insert, update on token_frequencies, attribution_states to ledger_app;
grant select, insert, update, delete on agent_patterns to ledger_app;

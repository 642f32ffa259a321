-- attribution/v2: identifiers of any age, models as snapshots, and reviews of whole events.

-- Features are extracted again, because v2 reads more of a decision. Events wait until then.
truncate decision_features, token_frequencies;
update attribution_states set features_seq = 0;
-- How many events have exactly one candidate with a rare identifier of theirs.
alter table attribution_states add column identified bigint not null default 0;
update financial_events set correlated_at = null where deleted_at is null;

-- Which decisions hold an identifier, by age: hashes, never the identifiers themselves.
create table decision_tokens (
  ledger_id uuid not null,
  token integer not null,
  "timestamp" timestamptz(3) not null,
  seq bigint not null,
  primary key (ledger_id, token, "timestamp", seq)
);

-- Which scored events name an identifier: a later decision that holds it concerns them.
create table event_tokens (
  ledger_id uuid not null,
  token integer not null,
  "timestamp" timestamptz(3) not null,
  event_id uuid not null,
  primary key (ledger_id, token, "timestamp", event_id)
);

create index event_tokens_by_event on event_tokens (ledger_id, event_id);

-- Append-only: a model, and up to where it read the logs of reviews and observations, so that the same
-- bytes can be made again from them. snapshot and settings are canonical JSON.
create table attribution_models (
  ledger_id uuid not null,
  model_id integer not null,
  version text not null,
  snapshot text not null,
  settings text not null,
  as_of_day integer not null,
  reviews_seq bigint not null,
  observations_seq bigint not null,
  identified bigint not null,
  is_refresh boolean not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, model_id)
);

-- How each event was scored last: at most ten candidates with their features, and the odds of the rest
-- together. place orders the review
-- queue: the priority, infinite for an audit, null where there is nothing to review. worth is the
-- amount without sign in the base currency, null without a rate. The audit columns place an event in
-- the frame of its month; audit_probability is that of being drawn, null for one that was not.
create table event_scores (
  ledger_id uuid not null,
  event_id uuid not null,
  model_id integer not null,
  scored_at timestamptz(3) not null,
  candidates text not null,
  decision_ids uuid[] not null,
  compared integer not null,
  none_share double precision not null,
  left_share double precision not null,
  rest_log_odds double precision,
  source text not null,
  currency text not null,
  ends_at timestamptz(3) not null,
  worth numeric,
  label text check (label in ('matched', 'guessed')),
  is_suggested boolean not null,
  observation text,
  priority double precision not null,
  place double precision,
  audit_month date,
  audit_source text,
  audit_band smallint,
  audit_draw integer,
  audit_probability double precision,
  primary key (ledger_id, event_id),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);
create index event_scores_to_review on event_scores (ledger_id, place desc, event_id desc)
  include (worth) where place is not null;
create index event_scores_by_draw on event_scores
  (ledger_id, audit_month, audit_source, audit_band, audit_draw, event_id)
  where audit_month is not null;
create index event_scores_audited on event_scores (ledger_id, audit_month)
  where audit_probability is not null;
create index event_scores_by_decision on event_scores using gin (decision_ids);
-- Samples of values are of no use to the planner here, and an erased one would live on among them.
alter table event_scores
  alter column candidates set statistics 0, alter column observation set statistics 0,
  alter column decision_ids set statistics 0;

-- How many events each stratum of a month has, and had when audits were drawn last.
create table audit_strata (
  ledger_id uuid not null,
  month date not null,
  source text not null,
  band smallint not null,
  events bigint not null,
  drawn_from bigint not null,
  primary key (ledger_id, month, source, band)
);

-- Append-only: what scored events teach without a person. A later row of an event replaces the earlier
-- ones; null takes them back.
create table event_observations (
  ledger_id uuid not null,
  seq bigint not null,
  event_id uuid not null,
  observation text,
  primary key (ledger_id, seq)
);

-- Append-only: what people said of events, with the candidates as they saw them. verdict `withdrawn`
-- takes an earlier one of the same link back, or of the same event where link_id is null.
create table event_reviews (
  ledger_id uuid not null,
  seq bigint not null,
  event_id uuid not null,
  link_id uuid,
  decision_id uuid,
  kind text not null check (kind in ('review', 'manual', 'audit')),
  verdict text not null check (verdict in ('cause', 'not_cause', 'none', 'skipped', 'withdrawn')),
  event_type text not null,
  choice text not null,
  model_id integer,
  created_at timestamptz(3) not null,
  primary key (ledger_id, seq),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);
create index event_reviews_by_event on event_reviews (ledger_id, event_id, seq);

-- Reviews of before name one candidate each, without features.
insert into event_reviews
  select r.ledger_id, row_number() over (partition by r.ledger_id order by r.review_id),
    l.event_id, r.link_id, l.decision_id,
    case when l.attribution_method = 'probabilistic' then 'review' else 'manual' end,
    case r.verdict when 'confirmed' then 'cause' when 'rejected' then 'not_cause'
      else 'withdrawn' end,
    r.event_type,
    case when r.verdict = 'withdrawn' then '{"candidates":[]}' else
      json_build_object('candidates', json_build_array(json_build_object(
        'action_type', r.action_type, 'agent_id', r.agent_id, 'decision_id', l.decision_id,
        'features', null, 'hours', r.lag_hours)))::text end,
    null, r.created_at
  from link_reviews r
  join links l on l.ledger_id = r.ledger_id and l.link_id = r.link_id;

grant select, insert on attribution_models, event_observations, event_reviews to ledger_app;
grant select, insert, update on event_scores, audit_strata to ledger_app;
grant select, insert, delete on decision_tokens, event_tokens to ledger_app;

-- The schema. Every table names the ledger that its rows belong to. What the service may do with each table is granted at
-- the end of its part: a table that is only added to has no grant to update or delete. Its variable, as in psql, is
-- the role of the service. No statement names a schema: all is made in the first one of the search path.
--
-- `set statistics 0`: the planner takes no samples of values that an erasure removes. Samples of a table that has become
-- empty are never taken anew, so an erased value would live on among them.

-- ORGANISATIONS AND THEIR CHAINS

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

-- Append-only. entry holds the exact bytes that were hashed. The payload columns hold disclosures
-- ["salt","name",value], the texts that the commitments in the entry were made of. terms holds hashes of the filters a
-- decision answers to; it is derived, and verified like the rest. The primary key prevents a fork: records are chained
-- under the lock of their head, and seq is part of the hashed entry. estimate_snapshot is the liability snapshot that the
-- first estimate of the decision is made with. Rows of up to 8 kB are stored as they are: beyond 2 kB, PostgreSQL would
-- spend more time on compressing a row than on everything else about it.
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
  estimate_snapshot integer not null,
  primary key (ledger_id, seq),
  unique (ledger_id, decision_id)
) with (toast_tuple_target = 8160);
create index decisions_by_time on decisions (ledger_id, "timestamp" desc, decision_id desc);
create index decisions_by_term on decisions using gin (terms);
alter table decisions
  alter column inputs set statistics 0, alter column outputs set statistics 0,
  alter column alternatives set statistics 0, alter column metadata set statistics 0;

-- Append-only. "when" is the disclosure of the times that a record about an event or a link is of; null for all other
-- records.
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
  "when" text,
  primary key (ledger_id, seq),
  unique (ledger_id, activity_id)
);
create index activity_by_subject on activity (ledger_id, subject, seq desc);
-- Verification looks for the erasures of decisions; a ledger without any has an empty index.
create index activity_erasures on activity (ledger_id, subject)
  where type = 'decision.field_erased';
-- Exports look for the events that report the money of their range.
create index activity_movements on activity (ledger_id, seq)
  where type in ('movement.paired', 'movement.parted');
create index activity_inherited on activity (ledger_id, seq) where type = 'link.inherited';

-- Keyed hashes only, so that nothing can be guessed back from them after an erasure.
create table idempotency_keys (
  ledger_id uuid not null,
  key_mac bytea not null,
  request_mac bytea not null,
  response text not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, key_mac)
);
-- An erasure looks for the kept answer of the decision's own time.
create index idempotency_keys_by_time on idempotency_keys (ledger_id, created_at);

-- The last verification of each whole chain. Announcements of verifications are pruned, this is not.
create table verifications (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  is_valid boolean not null,
  records_checked bigint not null,
  erased_fields bigint not null,
  head_seq bigint not null,
  head_hash text not null,
  verified_at timestamptz(3) not null,
  primary key (ledger_id, chain)
);

-- Fields of decisions that are larger than a row should be. Sent in chunks before the decision, which then takes an upload
-- for one of its fields, once: seq and field. Each has a key of its own, sealed under a key of the installation, and shares
-- nothing with another, so an erasure destroys the whole of it. value is what the field of the decision becomes: null until
-- all bytes have arrived.
create table uploads (
  ledger_id uuid not null,
  upload_id uuid not null,
  size bigint not null check (size between 1 and 67108864),
  sha256 bytea not null check (octet_length(sha256) = 32),
  media_type text not null,
  sealed_key bytea not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  received bigint not null default 0 check (received between 0 and size),
  value text,
  seq bigint,
  field text check (field in ('inputs', 'outputs')),
  primary key (ledger_id, upload_id),
  unique (ledger_id, seq, field),
  constraint uploads_taken_check check ((seq is null) = (field is null) and (seq is null or value is not null))
);
create index uploads_open on uploads (ledger_id, expires_at) where seq is null;
alter table uploads alter column value set statistics 0;

-- Sealed, each with its place. start is a place in the original bytes.
create table upload_chunks (
  ledger_id uuid not null,
  upload_id uuid not null,
  start bigint not null check (start >= 0),
  bytes bytea not null,
  primary key (ledger_id, upload_id, start)
);
alter table upload_chunks
  alter column bytes set storage external, alter column bytes set statistics 0;

grant select, insert on uploads, upload_chunks to :"role";
grant update (received, value, seq, field) on uploads to :"role";
grant select on schema_migrations to :"role";
grant select, insert on organisations, ledgers, chains, decisions, activity, idempotency_keys
  to :"role";
grant select, insert, update on chain_heads, verifications to :"role";

-- ACCESS

create table api_keys (
  ledger_id uuid not null references ledgers (ledger_id),
  key_id uuid not null,
  name text not null,
  permissions text[] not null,
  -- The agents whose decisions the key may record; null: any.
  agents text[],
  key_hash bytea not null unique,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (ledger_id, key_id)
);

-- Sessions of people: short-lived tokens, of which only hashes are kept, with at most the permissions of the key that
-- opened them. A session ends with its key.
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

-- For callers of the stream that cannot send a header. Taken once, within a minute. Only hashes: a ticket opens the
-- stream of its ledger. It stands for the session that asked for it, or else for the key.
create table stream_tickets (
  ledger_id uuid not null references ledgers (ledger_id),
  ticket_hash bytea not null,
  key_id uuid not null,
  session_id uuid,
  expires_at timestamptz(3) not null,
  primary key (ledger_id, ticket_hash)
);

-- What arrived over OTLP in the last day: counts by hour, scope and result, with names of attributes. One document, because
-- it is bounded as a whole. stale_at is when its oldest hour has to go.
create table span_groups (
  ledger_id uuid primary key references ledgers (ledger_id),
  groups jsonb not null,
  stale_at timestamptz(3) not null
);
alter table span_groups alter column groups set statistics 0;

create table settings (
  ledger_id uuid primary key references ledgers (ledger_id),
  document text not null,
  updated_at timestamptz(3) not null
);

-- How far each organisation's allowance is spent, in ms of the database clock.
-- Preflights of browsers carry no key: their answer needs the origins of all ledgers.
create index settings_with_origins on settings (ledger_id) where document like '%"cors"%';

create table rate_leases (
  org_id uuid not null,
  bucket text not null,
  tat double precision not null,
  granted integer not null,
  primary key (org_id, bucket)
);

grant select, insert on api_keys, sessions to :"role";
grant update (revoked_at) on api_keys to :"role";
grant update (revoked_at) on sessions to :"role";
grant select, insert, delete on stream_tickets to :"role";
grant select, insert, update, delete on span_groups to :"role";
grant select, insert, update on settings, rate_leases to :"role";

-- KEYS OF THE INSTALLATION

-- Which installation the database belongs to. One row, made with the first organisation or by the first service; the
-- certificate in the data folder names the same installation.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null,
  created_at timestamptz(3) not null
);

-- One row, made by the first process that needs the key. key_id names a master key and tells nothing of it. While the key
-- is changed, previous_key_id names the one before, and done_until the last ledger, in the order of their ids, whose
-- values are sealed anew.
create table master_key (
  only_row boolean primary key default true check (only_row),
  key_id text not null,
  previous_key_id text,
  done_until uuid
);

-- Sealed under the master key: what is marked with them is recognised after a change of that key.
create table kept_keys (
  purpose text primary key,
  sealed bytea not null
);

-- What signs exports: an organisation's, whatever the mode. The private key is sealed under the master key.
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

-- Ledgers that were restored from a backup that lacks records that are known to have existed. The service does not start
-- until the loss is accepted, or withdrawn because the record was found. At most one row for each ledger: the last
-- comparison that found a loss.
create table restored_ledgers (
  ledger_id uuid primary key references ledgers (ledger_id),
  -- The last decision that there is, and the one that was expected. A loss may be known by signed checkpoints alone, which
  -- name no decision.
  from_seq bigint not null check (from_seq >= 0),
  from_hash bytea not null check (octet_length(from_hash) = 32),
  expected_seq bigint check (expected_seq >= 1),
  expected_hash bytea check (octet_length(expected_hash) = 32),
  backup_made_at timestamptz(3),
  found_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  -- Whether the operator lets the transparency logs go on, although they may have signed what was lost.
  accepts_fork boolean not null default false,
  constraint restored_ledgers_expected_check check ((expected_seq is null) = (expected_hash is null))
);

grant select, insert on installation, signing_keys, restored_ledgers to :"role";
grant update (private_key, retired_at) on signing_keys to :"role";
grant update (from_seq, from_hash, expected_seq, expected_hash, backup_made_at, found_at, accepted_at, withdrawn_at,
  accepts_fork) on restored_ledgers to :"role";
grant select, insert, update on master_key, kept_keys to :"role";

-- FINANCIAL EVENTS

-- 32-bit hashes of the scalar members of metadata, as JSON text. The ledger is part of the hash, so that
-- ledgers share no entries of the index. Hits are compared with the event itself.
create function metadata_value_terms(ledger uuid, metadata text) returns integer[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct ('x' || left(md5(ledger::text || member.value::text), 8))::bit(32)::integer), '{}')
    from json_each(metadata::json) as member
    where json_typeof(member.value) not in ('object', 'array')
  );

-- The words of texts: runs of letters and digits, in lower case. The ledger is one of them, so that a search reads the
-- entries of its own events alone.
create function ledger_words(ledger uuid, texts text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, replace(ledger::text, '-', '') || ' ' ||
    regexp_replace(texts, '[^[:alnum:]]+', ' ', 'g'));

-- amount keeps the digits as they were sent: NUMERIC preserves trailing zeros. counted_amount has the sign that all parts
-- of the event count with: people's links decide it, if they agree, or else the event's own. origin names what an event
-- was made from (a processor's object and kind, an accounting record's version), so that the same thing read twice is
-- recorded once. lead_id names the report that leads the movement of the event: the event itself, or one that reports the
-- same money; only that one counts. kind and standing follow from the profile of the source: what the money is for, and
-- whether it counts, or which line of the figures has its amount instead; of what counts, uncounted_amount is the tax.
-- counted_amount + uncounted_amount is the amount with its sign. may_include_tax: of a sale that counts, no report says what it
-- is without tax.
create table financial_events (
  ledger_id uuid not null,
  event_id uuid not null,
  lead_id uuid not null,
  source text not null,
  event_type text not null,
  amount numeric not null,
  kind text not null default 'other',
  standing text not null default 'counted',
  counted_amount numeric not null,
  uncounted_amount numeric not null default 0,
  may_include_tax boolean not null default false,
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
  primary key (ledger_id, event_id),
  unique (ledger_id, origin),
  foreign key (ledger_id, lead_id) references financial_events (ledger_id, event_id),
  foreign key (ledger_id, supersedes) references financial_events (ledger_id, event_id),
  foreign key (ledger_id, superseded_by) references financial_events (ledger_id, event_id)
    deferrable initially deferred
);
create index financial_events_by_time on financial_events
  (ledger_id, "timestamp" desc, event_id desc);
create index financial_events_not_counted on financial_events (ledger_id, "timestamp", event_id)
  where uncounted_amount <> 0;
create index financial_events_by_lead on financial_events (ledger_id, lead_id);
create index financial_events_by_external_id on financial_events (ledger_id, external_id)
  where external_id is not null;
create index financial_events_by_value on financial_events
  using gin (metadata_value_terms(ledger_id, metadata)) where metadata is not null;
-- An event pays for one entry of the first index, and for one of the second for each word, at its insertion;
-- decisions pay nothing.
create index financial_events_by_amount on financial_events
  (ledger_id, abs(amount), "timestamp" desc, event_id desc);
create index financial_events_by_word on financial_events
  using gin (ledger_words(ledger_id, coalesce(description, '') || ' ' || coalesce(external_id, '')))
  where description is not null or external_id is not null;

-- What reports of the same money are found by: 64-bit hashes of an amount without sign and its currency, alone and with each
-- reference. Hits are compared with the events themselves.
create table money_keys (
  ledger_id uuid not null,
  key bigint not null,
  "timestamp" timestamptz(3) not null,
  event_id uuid not null,
  primary key (ledger_id, key, "timestamp", event_id)
);

-- The reports whose amounts are added up, and where: day is counted from 1970-01-01, by the clock of the source, and key is a hash
-- of what is added up together. Kind and sign are as the settings said then.
create table added_reports (
  ledger_id uuid not null,
  event_id uuid not null,
  key bigint not null,
  day integer not null,
  "timestamp" timestamptz(3) not null,
  kind text not null,
  sign smallint not null,
  primary key (ledger_id, event_id)
);
create index added_reports_by_day on added_reports (ledger_id, key, day, "timestamp", event_id);

-- What they add up to: amounts without sign.
create table period_totals (
  ledger_id uuid not null,
  currency text not null,
  day integer not null,
  source text not null,
  kind text not null,
  sign smallint not null,
  count integer not null,
  amount numeric not null,
  primary key (ledger_id, currency, source, day, kind, sign)
);
create index period_totals_by_day on period_totals (ledger_id, currency, day);

-- The reports that may be of the same money as others, which no rule can tell.
create table same_money (
  ledger_id uuid not null,
  event_id uuid not null,
  "timestamp" timestamptz(3) not null,
  primary key (ledger_id, event_id),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);
create index same_money_by_time on same_money (ledger_id, "timestamp" desc, event_id desc);

-- What events of months that are over counted with until a record of the activity chain, which changed that, and what links took of
-- it (JSON): until the month is closed, or restated.
create table former_counts (
  ledger_id uuid not null,
  "timestamp" timestamptz(3) not null,
  event_id uuid not null,
  activity_seq bigint not null,
  counted_amount numeric not null,
  links text not null,
  primary key (ledger_id, "timestamp", event_id, activity_seq),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);

-- What the payment processor sent, cut down to what is read from it: events of its webhook, and balance transactions and
-- payouts of its API. charge_id: the charge that they are about or belong to, whose events are read together; their own object
-- if they name none.
create table stripe_events (
  ledger_id uuid not null,
  stripe_event_id text not null,
  charge_id text not null,
  payload text not null,
  received_by text not null,
  received_at timestamptz(3) not null,
  primary key (ledger_id, stripe_event_id)
);
create index stripe_events_by_charge on stripe_events (ledger_id, charge_id);

-- How far an accounting connection has been read. The refresh token is sealed.
create table accounting_connections (
  ledger_id uuid not null,
  connection_id text not null,
  cursor text,
  refresh_token bytea,
  polled_at timestamptz(3),
  problem text,
  problem_count integer not null default 0,
  withheld text,
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

grant select, insert on financial_events, stripe_events to :"role";
grant select, insert, delete on added_reports, former_counts, money_keys, same_money to :"role";
grant update (key, day, kind, sign) on added_reports to :"role";
grant select, insert on period_totals to :"role";
grant update (count, amount) on period_totals to :"role";
grant update (deleted_at, superseded_by, kind, standing, counted_amount, uncounted_amount, may_include_tax, lead_id) on financial_events to :"role";
grant select, insert, update on accounting_connections, accounting_records to :"role";

-- LINKS OF DECISIONS AND EVENTS

-- reversal: a cost, refund or loss that is taken back. label: of suggestions and inherited links only. review_priority: how much a review of a
-- suggestion would teach; null for links that nobody suggested. inherited_from: of a link that a reversal takes from its payment,
-- the report that led the payment.
create table links (
  ledger_id uuid not null,
  link_id uuid not null,
  decision_id uuid not null,
  event_id uuid not null,
  correlation_strength numeric not null check (correlation_strength between 0 and 1),
  link_type text not null,
  reversal boolean not null default false
    check (not reversal or link_type in ('cost', 'refund', 'loss')),
  attribution_method text not null,
  status text not null,
  label text check (label in ('confirmed', 'matched', 'guessed')),
  inherited_from uuid,
  notes text,
  score text,
  review_priority double precision,
  created_by text not null,
  created_at timestamptz(3) not null,
  reviewed_by text,
  reviewed_at timestamptz(3),
  deleted_at timestamptz(3),
  primary key (ledger_id, link_id),
  foreign key (ledger_id, decision_id) references decisions (ledger_id, decision_id),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id),
  foreign key (ledger_id, inherited_from) references financial_events (ledger_id, event_id)
);
create index links_by_time on links (ledger_id, created_at desc, link_id desc);
create index links_by_decision on links (ledger_id, decision_id);
create index links_by_event on links (ledger_id, event_id);
create unique index links_once on links (ledger_id, event_id, decision_id, link_type)
  where deleted_at is null;
create index links_to_review on links (ledger_id, review_priority desc, link_id desc)
  where status = 'ML_SUGGESTED' and deleted_at is null;

-- What each link that stands moves of its event, with the sign that it counts with. An event's largest part is what the
-- others leave, where links take the whole event.
create table link_allocations (
  ledger_id uuid not null,
  link_id uuid not null,
  event_id uuid not null,
  decision_seq bigint not null,
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  link_type text not null,
  label text not null check (label in ('confirmed', 'matched', 'guessed')),
  currency text not null,
  share numeric not null,
  amount numeric(32, 12) not null,
  primary key (ledger_id, link_id),
  foreign key (ledger_id, link_id) references links (ledger_id, link_id)
);
create index link_allocations_by_event on link_allocations (ledger_id, event_id);
create index link_allocations_by_decision on link_allocations (ledger_id, decision_seq);
create index link_allocations_by_time on link_allocations (ledger_id, "timestamp");

-- Append-only: what people said of links, at most once of each. verdict `withdrawn` takes that back.
create table link_reviews (
  ledger_id uuid not null,
  link_id uuid not null,
  verdict text not null check (verdict in ('confirmed', 'rejected', 'withdrawn')),
  agent_id text not null,
  action_type text not null,
  event_type text not null,
  currency text not null,
  magnitude numeric not null,
  lag_hours double precision not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, link_id, verdict),
  foreign key (ledger_id, link_id) references links (ledger_id, link_id)
);
-- In the order of agent_patterns, whose counts are compared a part at a time.
create index link_reviews_by_pattern on link_reviews
  (ledger_id, event_type, action_type, agent_id, created_at) where verdict <> 'withdrawn';

grant select, insert on links, link_reviews to :"role";
grant update (correlation_strength, status, score, reviewed_by, reviewed_at, deleted_at,
  review_priority, label) on links to :"role";
grant select, insert, delete on link_allocations to :"role";

-- ATTRIBUTION

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

-- How many decisions hold a value, estimated from a sample that thins out as the ledger grows. After an erasure the counts
-- are made again from what is left of a decision: those that come to nothing are deleted.
create table token_frequencies (
  ledger_id uuid not null,
  token integer not null,
  decisions bigint not null,
  primary key (ledger_id, token)
);

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

-- Who compared features before an erasure and writes after it notices by erasures, their number. identified: how many events have exactly one candidate with a rare identifier of theirs.
-- checked_day (days since the epoch) and checked_reviews say up to where quality was checked last; label_withdrawn, whether
-- suggestions may not be labelled `matched`.
create table attribution_states (
  ledger_id uuid primary key references ledgers (ledger_id),
  erasures bigint not null default 0,
  identified bigint not null default 0,
  label_withdrawn boolean not null default false,
  label_changed_at timestamptz(3),
  checked_day integer,
  checked_reviews bigint not null default 0
);

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

-- How each event was scored last: at most ten candidates with their features, and the odds of the rest together. place
-- orders the review queue: the priority, infinite for an audit, null where there is nothing to review. worth is the amount
-- without sign in the base currency, null without a rate. shares_identifier, lag_hours and best_share are of the event
-- when it was scored last before people said anything of it, null if it never was; lag_hours is that of its best
-- suggestion, null without one. The audit columns place an event in the frame of its month; audit_probability is that of
-- being drawn, null for one that was not.
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
  shares_identifier boolean,
  lag_hours double precision,
  best_share double precision,
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

-- Append-only: what people said of events, with the candidates as they saw them. verdict `withdrawn` takes an earlier one
-- of the same link back, or of the same event where link_id is null. answered_by: the key, or the person and session, of a
-- review or of a link that a person made; null for links of systems. All rows of one answer have the same time.
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
  answered_by text,
  primary key (ledger_id, seq),
  foreign key (ledger_id, event_id) references financial_events (ledger_id, event_id)
);
create index event_reviews_by_event on event_reviews (ledger_id, event_id, seq);
-- The answers of a day. An answer pays for one entry; decisions and events pay nothing.
create index event_reviews_answered on event_reviews (ledger_id, created_at, seq)
  where answered_by is not null;

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

grant select, insert on decision_features, attribution_models, event_observations, event_reviews,
  attribution_drifts to :"role";
grant update (says_it_failed) on decision_features to :"role";
grant select, insert, update on attribution_states, event_scores, audit_strata to :"role";
grant select, insert, delete on decision_tokens, event_tokens to :"role";
grant select, insert, update, delete on token_frequencies, agent_patterns to :"role";

-- LIABILITY

-- What estimates are made with: the settings, the exchange rates into the currency and the experience of one time. Kept for
-- ever, so that any estimate can be worked out again.
create table liability_snapshots (
  ledger_id uuid not null,
  snapshot_id integer not null,
  version text not null,
  currency text not null,
  settings text not null,
  rates text not null,
  experience text not null,
  taken_at timestamptz(3) not null,
  primary key (ledger_id, snapshot_id)
);

-- The estimate of each decision that holds, with the facts that it follows from; reading says which settings they were
-- read with. The follower estimates stores the first one, or a change of the decision's links before it. own_* are the figures
-- of an amount that no rate converts; exposure, low, high and stake then leave it out. events and sizes are the probability
-- of a further loss, and that × the square of its cost.
create table liability_estimates (
  ledger_id uuid not null,
  seq bigint not null,
  decision_id uuid not null,
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  confidence double precision not null,
  oversight text not null check (oversight in ('none', 'human_in_loop', 'reviewer')),
  provenance text check (provenance in ('approved', 'claimed', 'unapproved', 'read')),
  stated_amount numeric,
  stated_currency text,
  variant text not null,
  denied boolean not null,
  reading integer not null,
  revision integer not null,
  snapshot_id integer not null,
  estimated_at timestamptz(3) not null,
  exposure numeric not null,
  low numeric not null,
  high numeric not null,
  own_currency text,
  own_exposure numeric,
  own_low numeric,
  own_high numeric,
  base_rate double precision not null,
  agent_factor double precision not null,
  version_factor double precision not null,
  confidence_factor double precision not null,
  human_factor double precision not null,
  loss_probability double precision not null,
  uncertainty double precision not null,
  is_prior boolean not null,
  amount_at_risk numeric not null,
  amount_basis text not null
    check (amount_basis in ('approved', 'claimed', 'denied', 'read', 'linked', 'median', 'matrix')),
  outlier boolean not null,
  severity double precision not null,
  severity_spread double precision not null,
  loss_p50 numeric not null,
  loss_p95 numeric not null,
  stake numeric not null,
  events double precision not null,
  sizes numeric not null,
  open_share double precision not null,
  realised numeric not null,
  unconverted integer not null,
  primary key (ledger_id, seq)
);
-- The largest exposures are those that may still cost most: what is lost already is no part of them.
create index liability_estimates_by_open on liability_estimates
  (ledger_id, (exposure - realised) desc, seq desc);
create index liability_estimates_lost on liability_estimates (ledger_id, agent_id)
  where realised > 0;

-- Append-only: estimates that no longer hold. Their figures tell what a decision stated.
create table liability_history (
  ledger_id uuid not null,
  seq bigint not null,
  revision integer not null,
  snapshot_id integer not null,
  estimated_at timestamptz(3) not null,
  exposure numeric not null,
  low numeric not null,
  high numeric not null,
  own_currency text,
  own_exposure numeric,
  own_low numeric,
  own_high numeric,
  base_rate double precision not null,
  agent_factor double precision not null,
  version_factor double precision not null,
  confidence_factor double precision not null,
  human_factor double precision not null,
  loss_probability double precision not null,
  uncertainty double precision not null,
  is_prior boolean not null,
  amount_at_risk numeric not null,
  amount_basis text not null,
  outlier boolean not null,
  severity double precision not null,
  severity_spread double precision not null,
  loss_p50 numeric not null,
  loss_p95 numeric not null,
  open_share double precision not null,
  realised numeric not null,
  unconverted integer not null,
  primary key (ledger_id, seq, revision)
);
alter table liability_history
  alter column exposure set statistics 0, alter column low set statistics 0,
  alter column high set statistics 0, alter column amount_at_risk set statistics 0,
  alter column realised set statistics 0, alter column own_exposure set statistics 0,
  alter column own_low set statistics 0, alter column own_high set statistics 0,
  alter column loss_p50 set statistics 0, alter column loss_p95 set statistics 0;

-- Locked by whoever changes estimates. Those of decisions up to the position of the follower estimates are summed up
-- in exposure_cells. currency is that of all estimates; null while some are in another, and no sum of them means anything.
create table liability_states (
  ledger_id uuid primary key,
  currency text,
  run_day date,
  run_as_of timestamptz(3),
  run_snapshot integer,
  run_after_seq bigint,
  run_until_seq bigint,
  completed_day date
);

-- Sums over the decisions of an hour (UTC). squares sums the squares of exposure − realised; events and event_squares, the
-- probabilities of a loss and their squares; sizes, the probability × the square of the cost.
create table exposure_cells (
  ledger_id uuid not null,
  hour timestamptz(0) not null,
  agent_id text not null,
  action_type text not null,
  variant text not null,
  decisions integer not null,
  denied integer not null,
  confidence numeric not null,
  overseen integer not null,
  exposure numeric not null,
  realised numeric not null,
  squares numeric not null,
  stake numeric not null,
  unconverted integer not null,
  events numeric not null,
  event_squares numeric not null,
  sizes numeric not null,
  primary key (ledger_id, hour, agent_id, action_type, variant)
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

-- Append-only: the forecast of what the decisions of a month will cost, made after its end, to test estimates by.
create table liability_forecasts (
  ledger_id uuid not null,
  month date not null,
  made_at timestamptz(3) not null,
  snapshot_id integer not null,
  currency text not null,
  basis text not null check (basis in ('prior', 'experience')),
  decisions integer not null,
  expected numeric not null,
  low90 numeric not null,
  high90 numeric not null,
  var95 numeric not null,
  es95 numeric not null,
  primary key (ledger_id, month)
);

-- Sums of the test for drift of an agent's version; state is JSON.
create table liability_drift_states (
  ledger_id uuid not null,
  agent_id text not null,
  variant text not null,
  state text not null,
  primary key (ledger_id, agent_id, variant)
);

-- Append-only: drifts that were detected. found numbers those of a ledger.
create table liability_drifts (
  ledger_id uuid not null,
  found integer not null,
  detected_at timestamptz(3) not null,
  data text not null,
  primary key (ledger_id, found)
);

grant select, insert on liability_snapshots, liability_estimates, liability_history, exposure_days,
  liability_forecasts, liability_drifts to :"role";
grant update (provenance, stated_amount, stated_currency, variant, denied, reading, revision, snapshot_id,
  estimated_at, exposure, low, high, own_currency, own_exposure, own_low, own_high, base_rate,
  agent_factor, version_factor, confidence_factor, human_factor, loss_probability, uncertainty,
  is_prior, amount_at_risk, amount_basis, outlier, severity, severity_spread, loss_p50, loss_p95,
  stake, events, sizes, open_share, realised, unconverted) on liability_estimates to :"role";
grant select, insert, update on liability_states, liability_drift_states to :"role";
grant select, insert, update, delete on exposure_cells to :"role";

-- EXPERIMENTS

-- How decisions were assigned to the arms of experiments. Read from metadata.experiment when the decision is recorded,
-- deleted when its metadata is erased. A mark that is not valid is kept to be counted: experiment_id is null if it names no
-- experiment.
create table experiment_assignments (
  ledger_id uuid not null,
  seq bigint not null check (seq >= 1),
  experiment_id text collate "C",
  arm text collate "C",
  propensity double precision,
  is_valid boolean not null,
  "timestamp" timestamptz(3) not null,
  primary key (ledger_id, seq)
);
create index experiment_assignments_by_experiment on experiment_assignments
  (ledger_id, experiment_id, seq);
alter table experiment_assignments
  alter column experiment_id set statistics 0, alter column arm set statistics 0;

grant select, insert on experiment_assignments to :"role";

-- RUNNING COSTS

-- What decisions say it cost to make them: an amount, or the model and its tokens, which are priced when read. Read from metadata
-- when the decision is recorded, deleted when its metadata is erased. All null: what they say leaves the cost open.
create table running_costs (
  ledger_id uuid not null,
  seq bigint not null check (seq >= 1),
  agent_id text not null,
  action_type text not null,
  "timestamp" timestamptz(3) not null,
  amount numeric,
  currency text,
  model text,
  input_tokens bigint,
  cached_tokens bigint,
  output_tokens bigint,
  primary key (ledger_id, seq)
);
create index running_costs_by_time on running_costs (ledger_id, "timestamp");

grant select, insert on running_costs to :"role";

-- PUBLISHED MONTHS

-- The profit and loss of a month that is over, as it was first published. Append-only: figures is JSON. activity_seq and
-- activity_hash name the last record of the activity chain when the figures were made.
create table closed_months (
  ledger_id uuid not null,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  closed_at timestamptz(3) not null,
  activity_seq bigint not null,
  activity_hash bytea not null,
  figures text not null,
  primary key (ledger_id, month)
);

-- Append-only: at most one for each nightly run. JSON: changes, what differs from the figures before, and explanation, which
-- records changed it.
create table month_restatements (
  ledger_id uuid not null,
  month text not null,
  run_day date not null,
  restated_at timestamptz(3) not null,
  activity_seq bigint not null,
  activity_hash bytea not null,
  figures text not null,
  changes text not null,
  explanation text not null,
  primary key (ledger_id, month, run_day),
  foreign key (ledger_id, month) references closed_months (ledger_id, month)
);

-- The last nightly run of a ledger, and the last record of the activity chain that it has seen. Of events before open_month, what
-- they counted with is kept in former_counts when it changes.
create table closing_states (
  ledger_id uuid primary key,
  run_day date not null,
  activity_seq bigint not null,
  open_month text not null
);

grant select, insert on closed_months, month_restatements to :"role";
grant select, insert, update on closing_states to :"role";

-- ANNOUNCEMENTS AND ALERTS

-- Told, and no evidence: unhashed, numbered without a gap, pruned after some days. pruned_seq is the last announcement that
-- was deleted for its age: who has seen less has missed some.
create table announcement_heads (
  ledger_id uuid primary key,
  seq bigint not null,
  pruned_seq bigint not null default 0
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
alter table announcements alter column data set statistics 0;

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

-- How far something that follows a chain has taken it: it takes each record once, in their order. A step locks the row,
-- writes what it made of the next records, and moves seq. failures, reason and failed_at tell of the next record, which
-- is not tried before retry_at.
create table follower_positions (
  ledger_id uuid not null references ledgers (ledger_id),
  follower text not null,
  log text not null check (log in ('decisions', 'activity')),
  seq bigint not null check (seq >= 0),
  failures integer not null default 0,
  reason text,
  failed_at timestamptz(3),
  retry_at timestamptz(3),
  primary key (ledger_id, follower, log)
) with (fillfactor = 50);

-- Records that a follower could not take and passed over.
create table follower_failures (
  ledger_id uuid not null references ledgers (ledger_id),
  follower text not null,
  log text not null check (log in ('decisions', 'activity')),
  seq bigint not null,
  reason text not null,
  failed_at timestamptz(3) not null,
  primary key (ledger_id, follower, log, seq)
);

-- What followers have to do that is not in the order of a log. The transaction that makes a subject due inserts it, and the
-- one that is done with it deletes it, or says when it is due again. What is due at once has the due_at -infinity, so that
-- one range of the index has all that is due, and is due since its time in since. One that failed is due at its next try.
-- progress is what a step noted of a subject that takes several.
create table due_work (
  ledger_id uuid not null,
  follower text not null,
  subject uuid not null,
  since timestamptz not null default statement_timestamp(),
  due_at timestamptz(3) not null default '-infinity',
  progress text,
  failures integer not null default 0,
  reason text,
  failed_at timestamptz(3),
  primary key (ledger_id, follower, subject)
);
create index due_work_due on due_work (ledger_id, follower, due_at, subject);
create index due_work_failed on due_work (ledger_id, follower, failed_at) where failed_at is not null;

-- Derived rows that a rebuild has begun to make again and has not finished, also if it was interrupted.
create table unfinished_rebuilds (
  ledger_id uuid not null references ledgers (ledger_id),
  projection text not null,
  primary key (ledger_id, projection)
);

grant select, insert, update on announcement_heads, alert_states, follower_positions to :"role";
grant select, insert, update, delete on due_work to :"role";
grant select on unfinished_rebuilds to :"role";
grant select, insert on follower_failures to :"role";
grant select, insert, delete on announcements to :"role";
grant select, insert on alerts to :"role";
grant update (claimed_at, delivered_at) on alerts to :"role";

-- EXPORTS AND RECONCILIATION

-- written counts the records of its files so far, of total; activity_seq is the end of the chain of activity when it began.
-- range_basis: what the export proves to be complete, what was recorded in its range or what was decided in it. filter is
-- what a forensic export shows of its range, as the disclosure that filter_commitment is made of. It may name a person, so
-- it is forgotten with the file; the commitment stays, as in the chain of activity.
create table exports (
  ledger_id uuid not null references ledgers (ledger_id),
  export_id uuid not null,
  org_id uuid not null,
  export_type text not null
    check (export_type in ('forensic', 'compliance', 'insurance', 'statement')),
  agent_id text,
  filter text,
  filter_commitment text,
  range_start timestamptz(3) not null,
  range_end timestamptz(3) not null,
  range_basis text not null check (range_basis in ('recorded', 'decided')),
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
  primary key (ledger_id, export_id),
  constraint exports_agent_of_statement
    check ((export_type = 'statement') = (agent_id is not null)),
  constraint exports_filter_committed check (filter is null or filter_commitment is not null),
  constraint exports_filter_forgotten
    check (filter is null or status in ('pending', 'running', 'complete'))
);
create index exports_by_organisation on exports (org_id, created_at);
create index exports_by_expiry on exports (expires_at) where status = 'complete';

-- The last nightly comparison of a ledger's tables with its activity chain. findings is null if the chain itself was
-- broken, so that nothing could be compared. first_finding is JSON.
create table reconciliations (
  ledger_id uuid primary key references ledgers (ledger_id),
  run_day date not null,
  finished_at timestamptz(3) not null,
  activity_seq bigint not null,
  findings bigint,
  first_finding text
);

grant select, insert on exports to :"role";
grant update (status, decisions, total, written, failures, reason, completed_at, expires_at,
  activity_seq, file, bytes, sha256, key_fingerprint, filter) on exports to :"role";
grant select, insert, update on reconciliations to :"role";

-- TRANSPARENCY LOGS: a Merkle tree over each chain, and its signed checkpoints

-- size leaves of the chain are in the tree; frontier holds the hashes of its complete subtrees, 32 bytes
-- each, from left to right. A log follows from the rows of its chain, so it can be rebuilt. fault says why
-- no further checkpoint is signed.
create table tlogs (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  generation integer not null check (generation >= 1),
  origin text not null,
  size bigint not null check (size >= 0),
  frontier bytea not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  rebuilt_at timestamptz(3) not null,
  fault text,
  primary key (ledger_id, chain, generation),
  unique (ledger_id, origin)
);

-- Ed25519. The private key is sealed under the master key.
create table tlog_keys (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  public_key bytea not null check (octet_length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, public_key),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Derived: the tiles from level 1 on, 256 hashes at most. Level 0 are the hashes of the chain.
create table tlog_tiles (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  level integer not null check (level >= 1),
  tile bigint not null check (tile >= 0),
  hashes bytea not null,
  primary key (ledger_id, chain, generation, level, tile),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Append-only: note is the signed note, published from here alone. At most one for each size, so no size
-- has two roots.
create table checkpoints (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, size),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Append-only: the checkpoints that an export holds. They are kept.
create table export_checkpoints (
  ledger_id uuid not null,
  export_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null,
  primary key (ledger_id, export_id, chain, generation, size),
  foreign key (ledger_id, export_id) references exports (ledger_id, export_id),
  foreign key (ledger_id, chain, generation, size)
    references checkpoints (ledger_id, chain, generation, size)
);

grant select, insert on tlogs, tlog_keys, checkpoints, export_checkpoints to :"role";
grant update (size, frontier, closed_at, rebuilt_at, fault) on tlogs to :"role";
grant update (private_key) on tlog_keys to :"role";
grant select, insert, update on tlog_tiles to :"role";

-- WHAT THE SERVICE MAY DELETE OF RECORDS: functions that act for it, within their own conditions alone

-- Empties the fields that the last record of the chain of activity says are erased: the one way in which a recorded
-- decision may change. Takes away the uploads that they stand for, and what was made from them too: hashes of values, what is
-- stated of the risk, and the estimates that show it. It refuses to work for any other record, so nothing is erased unless the chain says so. The terms
-- of agent and action type come first; those behind them are the metadata's. Amounts come from inputs and outputs, and
-- whether a decision was denied from any of the three: the service reads the facts that remain again in the same transaction.
create function erase_decision_fields(of_ledger uuid, of_decision uuid) returns void
language plpgsql security definer set search_path from current as $$
declare
  decision record;
  fields text[];
begin
  select d.seq, d.created_at, d.entry::json ->> 'decision_id' as id into decision
  from decisions d where d.ledger_id = of_ledger and d.decision_id = of_decision;
  select array(select json_array_elements_text(a.data::json -> 2 -> 'fields')) into fields
  from activity a
  join chain_heads h on h.ledger_id = a.ledger_id and h.seq = a.seq
  where a.ledger_id = of_ledger and h.chain = 'activity'
    and a.type = 'decision.field_erased' and a.subject = decision.id;
  if fields is null then
    raise exception 'the last record of the chain of activity is no erasure of this decision'
      using errcode = 'insufficient_privilege';
  end if;

  update decisions d set
    inputs = case when 'inputs' = any (fields) then null else inputs end,
    outputs = case when 'outputs' = any (fields) then null else outputs end,
    alternatives = case when 'alternatives' = any (fields) then null else alternatives end,
    metadata = case when 'metadata' = any (fields) then null else metadata end,
    terms = case when 'metadata' = any (fields) then terms[1:2] else terms end
  where d.ledger_id = of_ledger and d.seq = decision.seq;
  delete from upload_chunks c using uploads u
  where c.ledger_id = of_ledger and u.ledger_id = of_ledger and c.upload_id = u.upload_id
    and u.seq = decision.seq and u.field = any (fields);
  delete from uploads u
  where u.ledger_id = of_ledger and u.seq = decision.seq and u.field = any (fields);
  delete from running_costs c
  where c.ledger_id = of_ledger and c.seq = decision.seq and 'metadata' = any (fields);
  delete from decision_features f
  where f.ledger_id = of_ledger and f.seq = decision.seq;

  if fields && array['inputs', 'outputs', 'metadata'] then
    update liability_estimates e set stated_amount = null, stated_currency = null,
      provenance = case when e.provenance = 'read' then e.provenance end
    where e.ledger_id = of_ledger and e.seq = decision.seq
      and (e.denied or e.stated_amount is not null and fields && array['inputs', 'outputs']);
    -- An estimate that is not stored yet may have been told all the same.
    if found or not exists (select from liability_estimates e
      where e.ledger_id = of_ledger and e.seq = decision.seq) then
      delete from liability_history h
      where h.ledger_id = of_ledger and h.seq = decision.seq;
      update idempotency_keys k set response = (k.response::jsonb #- '{0,liability}')::text
      where k.ledger_id = of_ledger and k.created_at = decision.created_at
        and position(decision.id in k.response) > 0;
    end if;
  end if;
end $$;

revoke all on function erase_decision_fields(uuid, uuid) from public;
grant execute on function erase_decision_fields(uuid, uuid) to :"role";

-- Deletes the assignment of a decision whose metadata is erased, and no other: a comparison could be
-- falsified by assignments that are missing.
create function forget_assignment(of_ledger uuid, of_seq bigint) returns void
language plpgsql security definer set search_path from current as $$
begin
  delete from experiment_assignments e using decisions d
  where e.ledger_id = of_ledger and e.seq = of_seq and d.ledger_id = of_ledger and d.seq = of_seq
    and d.metadata is null;
end $$;

revoke all on function forget_assignment(uuid, bigint) from public;
grant execute on function forget_assignment(uuid, bigint) to :"role";

-- Deletes uploads that no decision has taken in time, at most 100.
create function drop_expired_uploads(of_ledger uuid, until timestamptz) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  dropped uuid[];
begin
  select array_agg(old.upload_id) into dropped from (
    select u.upload_id from uploads u
    where u.ledger_id = of_ledger and u.seq is null and u.expires_at <= until
    order by u.expires_at limit 100 for update) old;
  delete from upload_chunks c where c.ledger_id = of_ledger and c.upload_id = any (dropped);
  delete from uploads u where u.ledger_id = of_ledger and u.upload_id = any (dropped);
  return coalesce(cardinality(dropped), 0);
end $$;

revoke all on function drop_expired_uploads(uuid, timestamptz) from public;
grant execute on function drop_expired_uploads(uuid, timestamptz) to :"role";

-- Deletes checkpoints older than 90 days, except the last one of each hour and of the log, and those that an export holds.
-- At most 1000 at a time. Nothing else deletes a checkpoint, so the service cannot take one back.
create function thin_checkpoints(of_ledger uuid, of_chain text, of_generation integer) returns bigint
language plpgsql security definer set search_path from current as $$
declare
  sizes bigint[];
begin
  select array_agg(old.size) into sizes from (
    select c.size from checkpoints c
    where c.ledger_id = of_ledger and c.chain = of_chain and c.generation = of_generation
      and c.created_at < clock_timestamp() - interval '90 days'
      and exists (select from checkpoints later
        where later.ledger_id = of_ledger and later.chain = of_chain
          and later.generation = of_generation and later.size > c.size
          and date_trunc('hour', later.created_at, 'UTC') = date_trunc('hour', c.created_at, 'UTC'))
      and not exists (select from export_checkpoints e
        where e.ledger_id = of_ledger and e.chain = of_chain and e.generation = of_generation
          and e.size = c.size)
    order by c.size limit 1000) old;
  delete from checkpoints x where x.ledger_id = of_ledger and x.chain = of_chain
    and x.generation = of_generation and x.size = any (sizes);
  return coalesce(cardinality(sizes), 0);
end $$;

revoke all on function thin_checkpoints(uuid, text, integer) from public;
grant execute on function thin_checkpoints(uuid, text, integer) to :"role";

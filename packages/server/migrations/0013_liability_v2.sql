-- Estimates by agent and version, with the facts that a decision states; forecasts to test them by.
-- Columns with constant defaults do not rewrite a table. Old estimates are renewed by the next nightly
-- run, which this makes due.

-- reading says which settings the facts were read with: 0 is a release that read only outputs.amount.
-- own_* are the figures of an amount that no rate converts; exposure, low, high and stake then leave it out.
alter table liability_estimates
  add column variant text not null default '',
  add column denied boolean not null default false,
  add column reading integer not null default 0,
  add column own_currency text,
  add column own_exposure numeric,
  add column own_low numeric,
  add column own_high numeric,
  add column agent_factor double precision,
  add column version_factor double precision,
  add column uncertainty double precision,
  add column is_prior boolean,
  add column severity_spread double precision,
  add column loss_p50 numeric,
  add column loss_p95 numeric,
  add column events double precision not null default 0,
  add column sizes numeric not null default 0,
  drop constraint liability_estimates_amount_basis_check,
  add constraint liability_estimates_amount_basis_check
    check (amount_basis in ('stated', 'denied', 'linked', 'median', 'matrix')) not valid;

alter table liability_history
  add column own_currency text,
  add column own_exposure numeric,
  add column own_low numeric,
  add column own_high numeric,
  add column agent_factor double precision,
  add column version_factor double precision,
  add column uncertainty double precision,
  add column is_prior boolean,
  add column severity_spread double precision,
  add column loss_p50 numeric,
  add column loss_p95 numeric;
-- Samples of erased figures must not stay in the statistics.
alter table liability_history
  alter column own_exposure set statistics 0, alter column own_low set statistics 0,
  alter column own_high set statistics 0, alter column loss_p50 set statistics 0,
  alter column loss_p95 set statistics 0;

-- events and event_squares sum the probabilities of a loss and their squares, sizes the probability ×
-- the square of the cost. There is one row per hour, agent, action type and version: far fewer than
-- decisions, so the new key is built in about a second per million rows.
alter table exposure_cells
  add column variant text not null default '',
  add column events double precision not null default 0,
  add column event_squares double precision not null default 0,
  add column sizes numeric not null default 0,
  add column denied integer not null default 0,
  drop constraint exposure_cells_pkey,
  add primary key (ledger_id, hour, agent_id, action_type, variant);

-- Append-only: the forecast of what the decisions of a month will cost, made after its end.
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

update liability_states set completed_day = null;

grant select, insert on liability_forecasts, liability_drifts to ledger_app;
grant select, insert, update on liability_drift_states to ledger_app;
grant update (stated_amount, stated_currency, variant, denied, reading, own_currency, own_exposure,
  own_low, own_high, agent_factor, version_factor, uncertainty, is_prior, severity_spread, loss_p50,
  loss_p95, events, sizes) on liability_estimates to ledger_app;

-- As before, and for all that is read now: amounts come from inputs too, and whether a decision was
-- denied from its outputs. The service reads the facts that remain again in the same transaction.
create or replace function erase_decision_fields(of_ledger uuid, of_decision uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  decision record;
  fields text[];
begin
  select d.seq, d.created_at, d.entry::json ->> 'decision_id' as id into decision
  from public.decisions d where d.ledger_id = of_ledger and d.decision_id = of_decision;
  select array(select json_array_elements_text(a.data::json -> 2 -> 'fields')) into fields
  from public.activity a
  join public.chain_heads h on h.ledger_id = a.ledger_id and h.seq = a.seq
  where a.ledger_id = of_ledger and h.chain = 'activity'
    and a.type = 'decision.field_erased' and a.subject = decision.id;
  if fields is null then
    raise exception 'the last record of the chain of activity is no erasure of this decision'
      using errcode = 'insufficient_privilege';
  end if;

  update public.decisions d set
    inputs = case when 'inputs' = any (fields) then null else inputs end,
    outputs = case when 'outputs' = any (fields) then null else outputs end,
    alternatives = case when 'alternatives' = any (fields) then null else alternatives end,
    metadata = case when 'metadata' = any (fields) then null else metadata end,
    terms = case when 'metadata' = any (fields) then terms[1:2] else terms end
  where d.ledger_id = of_ledger and d.seq = decision.seq;
  delete from public.decision_features f
  where f.ledger_id = of_ledger and f.seq = decision.seq;

  if fields && array['inputs', 'outputs'] then
    update public.liability_estimates e set stated_amount = null, stated_currency = null
    where e.ledger_id = of_ledger and e.seq = decision.seq
      and (e.stated_amount is not null or e.denied);
    if found then
      delete from public.liability_history h
      where h.ledger_id = of_ledger and h.seq = decision.seq;
      update public.idempotency_keys k set response = (k.response::jsonb #- '{0,liability}')::text
      where k.ledger_id = of_ledger and k.created_at = decision.created_at
        and position(decision.id in k.response) > 0;
    end if;
  end if;
end $$;

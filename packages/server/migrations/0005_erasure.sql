-- Erasure of payload fields: the one way in which a recorded decision may change.

-- Verification looks for the erasures of decisions; a ledger without any has an empty index.
create index activity_erasures on activity (ledger_id, subject)
  where type = 'decision.field_erased';

-- Empties the fields that the last record of the chain of activity says are erased, and takes away
-- what was made from them: hashes of values, the stated amount and the estimates that show it. It
-- refuses to work for any other record, so nothing is erased unless the chain says so. The terms of
-- agent and action type come first; those behind them are the metadata's.
create function erase_decision_fields(of_ledger uuid, of_decision uuid) returns void
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

  if 'outputs' = any (fields) then
    update public.liability_estimates e set stated_amount = null, stated_currency = null
    where e.ledger_id = of_ledger and e.seq = decision.seq and e.stated_amount is not null;
    if found then
      delete from public.liability_history h
      where h.ledger_id = of_ledger and h.seq = decision.seq;
      update public.idempotency_keys k set response = (k.response::jsonb #- '{0,liability}')::text
      where k.ledger_id = of_ledger and k.created_at = decision.created_at
        and position(decision.id in k.response) > 0;
    end if;
  end if;
end $$;

revoke all on function erase_decision_fields(uuid, uuid) from public;
grant execute on function erase_decision_fields(uuid, uuid) to ledger_app;

-- Counts of values, made again from what is left of a decision: those that come to nothing go.
grant delete on token_frequencies to ledger_app;

-- Samples of values are of no use to the planner here, and an erased one would live on among them.
alter table decisions
  alter column inputs type text, alter column outputs type text,
  alter column alternatives type text, alter column metadata type text;
alter table decisions
  alter column inputs set statistics 0, alter column outputs set statistics 0,
  alter column alternatives set statistics 0, alter column metadata set statistics 0;

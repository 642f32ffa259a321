-- How decisions were assigned to the arms of experiments.

-- Read from metadata.experiment when the decision is recorded, deleted when its metadata is erased. A
-- mark that is not valid is kept to be counted: experiment_id is null if it names no experiment.
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

-- An erased name must not live on among the planner's samples.
alter table experiment_assignments
  alter column experiment_id set statistics 0, alter column arm set statistics 0;

-- Deletes the assignment of a decision whose metadata is erased, and no other: a comparison could be
-- falsified by assignments that are missing.
create function forget_assignment(of_ledger uuid, of_seq bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from public.experiment_assignments e using public.decisions d
  where e.ledger_id = of_ledger and e.seq = of_seq and d.ledger_id = of_ledger and d.seq = of_seq
    and d.metadata is null;
$$;

revoke all on function forget_assignment(uuid, bigint) from public;
grant execute on function forget_assignment(uuid, bigint) to ledger_app;
grant select, insert on experiment_assignments to ledger_app;

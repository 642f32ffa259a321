-- How decisions were assigned to the arms of experiments.

-- Read from metadata.experiment when the decision is recorded, and deleted when its metadata is erased.
-- A mark that is not valid is kept to be counted: experiment_id is null if it names no experiment.
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

grant select, insert, delete on experiment_assignments to ledger_app;

-- Which installation the database belongs to. One row, made with the first organisation or by the first service; the
-- certificate in the data folder names the same installation.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null,
  created_at timestamptz(3) not null
);

grant select, insert on installation to ledger_app;

-- A loss may be known by signed checkpoints alone, which name no decision.
alter table restored_ledgers
  alter column expected_seq drop not null,
  alter column expected_hash drop not null,
  add constraint restored_ledgers_expected_check check ((expected_seq is null) = (expected_hash is null));

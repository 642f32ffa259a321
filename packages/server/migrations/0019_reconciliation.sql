-- The last nightly comparison of a ledger's tables with its activity chain.

-- findings is null if the chain itself was broken, so that nothing could be compared. first_finding is JSON.
create table reconciliations (
  ledger_id uuid primary key references ledgers (ledger_id),
  run_day date not null,
  finished_at timestamptz(3) not null,
  activity_seq bigint not null,
  findings bigint,
  first_finding text
);

grant select, insert, update on reconciliations to ledger_app;

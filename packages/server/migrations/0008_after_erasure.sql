-- What an erasure needs beside its function: to find its copies soon, and to be noticed.

-- An erasure of outputs looks for the kept answer of the decision's own time.
create index idempotency_keys_by_time on idempotency_keys (ledger_id, created_at);

-- Who compared features before an erasure and writes after it must notice.
alter table attribution_states add column erasures bigint not null default 0;

-- Samples of a table that has become empty are never taken anew, so there must be none: what an
-- announcement says, and the figures of former estimates, which tell what was stated.
alter table announcements alter column data type text;
alter table announcements alter column data set statistics 0;
alter table liability_history
  alter column exposure type numeric, alter column low type numeric, alter column high type numeric,
  alter column amount_at_risk type numeric, alter column realised type numeric;
alter table liability_history
  alter column exposure set statistics 0, alter column low set statistics 0,
  alter column high set statistics 0, alter column amount_at_risk set statistics 0,
  alter column realised set statistics 0;

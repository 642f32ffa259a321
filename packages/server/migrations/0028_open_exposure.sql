-- The largest exposures are those that may still cost most: what is lost already is no part of them.
drop index liability_estimates_by_exposure;
create index liability_estimates_by_open on liability_estimates
  (ledger_id, (exposure - realised) desc, seq desc);

create index liability_estimates_lost on liability_estimates (ledger_id, agent_id)
  where realised > 0;

-- What a forensic export shows of its range. The filter may name a person, so it is forgotten with the file; its
-- commitment stays, as in the chain of activity. filter is the disclosure that the commitment is made of.
alter table exports
  add column filter text,
  add column filter_commitment text,
  add constraint exports_filter_committed check (filter is null or filter_commitment is not null),
  add constraint exports_filter_forgotten
    check (filter is null or status in ('pending', 'running', 'complete'));

grant update (filter) on exports to ledger_app;

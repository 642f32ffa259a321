-- Exports of the statement of one agent.

alter table exports drop constraint exports_export_type_check;
alter table exports add constraint exports_export_type_check
  check (export_type in ('forensic', 'compliance', 'insurance', 'statement'));
alter table exports add column agent_id text;
alter table exports add constraint exports_agent_of_statement
  check ((export_type = 'statement') = (agent_id is not null));

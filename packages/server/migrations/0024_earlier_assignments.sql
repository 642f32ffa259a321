-- Decisions that were recorded before assignments were kept are assigned as their metadata says, so that
-- every assignment follows from its decision and can be compared with it.
insert into experiment_assignments (ledger_id, seq, experiment_id, arm, propensity, is_valid, "timestamp")
select m.ledger_id, m.seq, case when m.is_named then m.id end,
  case when m.is_named and m.is_valid then m.arm end,
  case when m.is_named and m.is_valid then m.propensity end, m.is_named and m.is_valid, m."timestamp"
from (
  select r.*, coalesce(length(r.id) between 1 and 200, false) as is_named,
    coalesce(length(r.arm) between 1 and 200, false)
      and (not r.has_propensity or coalesce(r.propensity > 0 and r.propensity <= 1, false)) as is_valid
  from (
    select d.ledger_id, d.seq, d."timestamp", t.id, t.arm,
      coalesce(json_typeof(x.mark -> 'propensity') <> 'null', false) as has_propensity,
      case json_typeof(x.mark -> 'propensity') when 'number'
        then (x.mark ->> 'propensity')::double precision end as propensity
    from decisions d,
      lateral (select d.metadata::json -> 2 -> 'experiment' as found) f,
      lateral (select case json_typeof(f.found) when 'object' then f.found end as mark) x,
      lateral (select
        case json_typeof(x.mark -> 'id') when 'string' then x.mark ->> 'id' end as id,
        case json_typeof(x.mark -> 'arm') when 'string' then x.mark ->> 'arm' end as arm) t
    where d.metadata like '%"experiment":%' and f.found is not null
  ) r
) m
on conflict do nothing;

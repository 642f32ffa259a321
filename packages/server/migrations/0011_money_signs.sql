-- The sign that an event counts with, the direction of a link, and how certain its cause is.

-- reversal: a cost, refund or loss that is taken back. label: of suggestions only.
alter table links
  add column reversal boolean not null default false
    check (not reversal or link_type in ('cost', 'refund', 'loss')),
  add column label text check (label in ('matched', 'guessed'));
grant update (label) on links to ledger_app;

-- Former releases took the direction from the event type. Links keep the direction that they counted with.
update links l set reversal = true
from financial_events e
where e.ledger_id = l.ledger_id and e.event_id = l.event_id
  and l.link_type in ('cost', 'refund', 'loss')
  and e.event_type ~* '(reversal|reversed|recovery|reinstated)';

update links l set label =
  case when l.correlation_strength >= 0.5
      and ((l.score::json #>> '{evidence,identifiers}')::float8 > 0
        or (l.score::json #>> '{evidence,stated_amount}')::float8 > 0)
    then 'matched' else 'guessed' end
where l.status = 'ML_SUGGESTED' and l.deleted_at is null;

-- The amount with the sign that all parts of the event count with: people's links decide it, if they
-- agree, or else the event's own.
alter table financial_events add column counted_amount numeric;
update financial_events set counted_amount = amount;
update financial_events e set counted_amount = case when h.is_reversal then abs(e.amount) else -abs(e.amount) end
from (
  select ledger_id, event_id, bool_and(reversal) as is_reversal
  from links
  where deleted_at is null and status in ('CONFIRMED', 'ML_INFERRED')
  group by ledger_id, event_id
  having bool_and(link_type in ('cost', 'refund', 'loss')) and bool_and(reversal) = bool_or(reversal)
) h
where h.ledger_id = e.ledger_id and h.event_id = e.event_id;
alter table financial_events alter column counted_amount set not null;
grant update (counted_amount) on financial_events to ledger_app;

-- An event's largest part is what the others leave, where links take the whole event.
truncate link_allocations;
alter table link_allocations
  drop column is_confirmed,
  add column label text not null check (label in ('confirmed', 'matched', 'guessed')),
  alter column amount type numeric(32, 12);
insert into link_allocations (ledger_id, link_id, event_id, decision_seq, agent_id, action_type,
  "timestamp", link_type, label, currency, share, amount)
select p.ledger_id, p.link_id, p.event_id, d.seq, d.agent_id, d.action_type, p."timestamp",
  p.link_type, p.label, p.currency, p.share,
  case when p.total >= 1 and p.place = 1
    then p.counted_amount - (sum(p.part) over (partition by p.ledger_id, p.event_id) - p.part)
    else p.part end
from (
  select s.*, e."timestamp", e.currency, e.counted_amount,
    s.strength / greatest(1, s.total) as share,
    round(e.counted_amount * s.strength / greatest(1, s.total), 12) as part
  from (
    select l.ledger_id, l.link_id, l.event_id, l.decision_id, l.link_type,
      l.correlation_strength as strength,
      case when l.status = 'ML_SUGGESTED' then coalesce(l.label, 'guessed') else 'confirmed' end
        as label,
      sum(l.correlation_strength) over (partition by l.ledger_id, l.event_id) as total,
      row_number() over (partition by l.ledger_id, l.event_id
        order by l.correlation_strength desc, l.link_id) as place
    from links l where l.deleted_at is null
  ) s
  join financial_events e on e.ledger_id = s.ledger_id and e.event_id = s.event_id
  where e.deleted_at is null
) p
join decisions d on d.ledger_id = p.ledger_id and d.decision_id = p.decision_id;

-- Estimates depend on the allocations: the nightly run of every ledger is due again, from its start.
update liability_states set completed_day = null, run_day = null;

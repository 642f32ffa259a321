-- Finding a financial event by a value of its metadata, whatever its key.

-- 32-bit hashes of the scalar members of metadata, as JSON text. The ledger is part of the hash, so that
-- ledgers share no entries of the index. Hits are compared with the event itself.
create function metadata_value_terms(ledger uuid, metadata text) returns integer[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct ('x' || left(md5(ledger::text || member.value::text), 8))::bit(32)::integer), '{}')
    from json_each(metadata::json) as member
    where json_typeof(member.value) not in ('object', 'array')
  );

create index financial_events_by_value on financial_events
  using gin (metadata_value_terms(ledger_id, metadata)) where metadata is not null;

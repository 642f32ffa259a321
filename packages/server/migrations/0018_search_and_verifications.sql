-- Finding a financial event by a value of its metadata, whatever its key; the last verification of a chain.

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

-- The last verification of each whole chain. Announcements of verifications are pruned, this is not.
create table verifications (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  is_valid boolean not null,
  records_checked bigint not null,
  erased_fields bigint not null,
  head_seq bigint not null,
  head_hash text not null,
  verified_at timestamptz(3) not null,
  primary key (ledger_id, chain)
);

grant select, insert, update on verifications to ledger_app;

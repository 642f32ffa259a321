-- Transparency logs: a Merkle tree over each chain, its signed checkpoints, and what others sign of them.

-- size leaves of the chain are in the tree; frontier holds the hashes of its complete subtrees, 32 bytes
-- each, from left to right. A log follows from the rows of its chain, so it can be rebuilt. fault says why
-- no further checkpoint is signed.
create table tlogs (
  ledger_id uuid not null references ledgers (ledger_id),
  chain text not null check (chain in ('decisions', 'activity')),
  generation integer not null check (generation >= 1),
  origin text not null unique,
  size bigint not null check (size >= 0),
  frontier bytea not null,
  created_at timestamptz(3) not null,
  closed_at timestamptz(3),
  rebuilt_at timestamptz(3) not null,
  fault text,
  primary key (ledger_id, chain, generation)
);

-- Ed25519. The private key is sealed under the master key.
create table tlog_keys (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  public_key bytea not null check (octet_length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, public_key),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Derived: the tiles from level 1 on, 256 hashes at most. Level 0 are the hashes of the chain.
create table tlog_tiles (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  level integer not null check (level >= 1),
  tile bigint not null check (tile >= 0),
  hashes bytea not null,
  primary key (ledger_id, chain, generation, level, tile),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Append-only: note is the signed note, published from here alone. At most one for each size, so no size
-- has two roots.
create table checkpoints (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null check (size >= 0),
  root bytea not null check (octet_length(root) = 32),
  note text not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, size),
  foreign key (ledger_id, chain, generation) references tlogs (ledger_id, chain, generation)
);

-- Append-only: signatures of others under a checkpoint, such as witnesses.
create table cosignatures (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null,
  name text not null,
  key_id bigint not null,
  signature bytea not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, size, name, key_id),
  foreign key (ledger_id, chain, generation, size)
    references checkpoints (ledger_id, chain, generation, size)
);

-- Append-only: time-stamp tokens (RFC 3161) of a checkpoint.
create table timestamps (
  ledger_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null,
  authority text not null,
  token bytea not null,
  created_at timestamptz(3) not null,
  primary key (ledger_id, chain, generation, size, authority),
  foreign key (ledger_id, chain, generation, size)
    references checkpoints (ledger_id, chain, generation, size)
);

-- Append-only: the checkpoints that an export holds. They are kept.
create table export_checkpoints (
  ledger_id uuid not null,
  export_id uuid not null,
  chain text not null,
  generation integer not null,
  size bigint not null,
  primary key (ledger_id, export_id, chain, generation, size),
  foreign key (ledger_id, export_id) references exports (ledger_id, export_id),
  foreign key (ledger_id, chain, generation, size)
    references checkpoints (ledger_id, chain, generation, size)
);

-- Deletes checkpoints older than 90 days, except the last one of each hour and of the log, and those that
-- an export holds, with what others signed of them. At most 1000 at a time. Nothing else deletes a
-- checkpoint, so the service cannot take one back.
create function thin_checkpoints(of_ledger uuid, of_chain text, of_generation integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  sizes bigint[];
begin
  select array_agg(old.size) into sizes from (
    select c.size from public.checkpoints c
    where c.ledger_id = of_ledger and c.chain = of_chain and c.generation = of_generation
      and c.created_at < clock_timestamp() - interval '90 days'
      and exists (select from public.checkpoints later
        where later.ledger_id = of_ledger and later.chain = of_chain
          and later.generation = of_generation and later.size > c.size
          and date_trunc('hour', later.created_at, 'UTC') = date_trunc('hour', c.created_at, 'UTC'))
      and not exists (select from public.export_checkpoints e
        where e.ledger_id = of_ledger and e.chain = of_chain and e.generation = of_generation
          and e.size = c.size)
    order by c.size limit 1000) old;
  delete from public.cosignatures x where x.ledger_id = of_ledger and x.chain = of_chain
    and x.generation = of_generation and x.size = any (sizes);
  delete from public.timestamps x where x.ledger_id = of_ledger and x.chain = of_chain
    and x.generation = of_generation and x.size = any (sizes);
  delete from public.checkpoints x where x.ledger_id = of_ledger and x.chain = of_chain
    and x.generation = of_generation and x.size = any (sizes);
  return coalesce(cardinality(sizes), 0);
end $$;

revoke all on function thin_checkpoints(uuid, text, integer) from public;
grant execute on function thin_checkpoints(uuid, text, integer) to ledger_app;

grant select, insert on tlogs, tlog_keys, checkpoints, cosignatures, timestamps, export_checkpoints
  to ledger_app;
grant update (size, frontier, closed_at, rebuilt_at, fault) on tlogs to ledger_app;
grant update (private_key) on tlog_keys to ledger_app;
grant select, insert, update on tlog_tiles to ledger_app;

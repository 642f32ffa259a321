-- The master key: which one seals now, and the keys that outlive it.

-- One row, made by the first process that needs the key. key_id names a master key and tells nothing of
-- it. While the key is changed, previous_key_id names the one before, and done_until the last ledger,
-- in the order of their ids, whose values are sealed anew.
create table master_key (
  only_row boolean primary key default true check (only_row),
  key_id text not null,
  previous_key_id text,
  done_until uuid
);

-- Sealed under the master key: what is marked with them is recognised after a change of that key.
create table kept_keys (
  purpose text primary key,
  sealed bytea not null
);

grant select, insert, update on master_key, kept_keys to ledger_app;
grant update (private_key) on signing_keys to ledger_app;

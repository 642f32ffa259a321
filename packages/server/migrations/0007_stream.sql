-- The live stream: tickets for callers that cannot send a header, and how far announcements are gone.

-- Taken once, within a minute. Only hashes: a ticket opens the stream of its ledger.
create table stream_tickets (
  ledger_id uuid not null references ledgers (ledger_id),
  ticket_hash bytea not null,
  key_id uuid not null,
  expires_at timestamptz(3) not null,
  primary key (ledger_id, ticket_hash)
);

-- The last announcement that was deleted for its age: who has seen less has missed some.
alter table announcement_heads add column pruned_seq bigint not null default 0;
update announcement_heads h set pruned_seq = coalesce(
  (select min(a.seq) - 1 from announcements a where a.ledger_id = h.ledger_id), h.seq);

grant select, insert, delete on stream_tickets to ledger_app;

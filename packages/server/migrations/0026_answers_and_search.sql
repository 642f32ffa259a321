-- Who answered: the key, or the person and session, of a review or of a link that a person made. Null for links of
-- systems, and for what was said before this migration. All rows of one answer have the same time.
alter table event_reviews add column answered_by text;
-- The answers of a day. An answer pays for one entry; decisions and events pay nothing.
create index event_reviews_answered on event_reviews (ledger_id, created_at, seq) where answered_by is not null;

-- Finding a financial event by its amount and by the words of its texts. An event pays for one entry of the first index,
-- and for one of the second for each word; decisions pay nothing.

-- The words of a text, in lower case: runs of letters and digits.
create function text_words(text text) returns text[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(distinct word), '{}')
    from regexp_split_to_table(lower(text), '[^[:alnum:]]+') as word where word <> ''
  );

-- 32-bit hashes of words. The ledger is part of the hash, so that ledgers share no entries of the index.
create function text_terms(ledger uuid, text text) returns integer[]
  language sql immutable parallel safe
  return (
    select coalesce(array_agg(('x' || left(md5(ledger::text || word), 8))::bit(32)::integer), '{}')
    from unnest(text_words(text)) as word
  );

create index financial_events_by_amount on financial_events
  (ledger_id, abs(amount), "timestamp" desc, event_id desc);
create index financial_events_by_word on financial_events
  using gin (text_terms(ledger_id, coalesce(description, '') || ' ' || coalesce(external_id, '')))
  where description is not null or external_id is not null;

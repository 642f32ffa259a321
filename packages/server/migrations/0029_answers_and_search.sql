-- Who answered: the key, or the person and session, of a review or of a link that a person made. Null for links of
-- systems, and for what was said before this migration. All rows of one answer have the same time.
alter table event_reviews add column answered_by text;
-- The answers of a day. An answer pays for one entry; decisions and events pay nothing.
create index event_reviews_answered on event_reviews (ledger_id, created_at, seq) where answered_by is not null;

-- Finding a financial event by its amount and by the words of its texts. An event pays for one entry of the first index,
-- and for one of the second for each word, at its insertion and each time that it is scored; decisions pay nothing.

-- The words of texts: runs of letters and digits, in lower case. The ledger is one of them, so that a search reads the
-- entries of its own events alone.
create function ledger_words(ledger uuid, texts text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector('simple'::regconfig, replace(ledger::text, '-', '') || ' ' ||
    regexp_replace(texts, '[^[:alnum:]]+', ' ', 'g'));

create index financial_events_by_amount on financial_events
  (ledger_id, abs(amount), "timestamp" desc, event_id desc);
create index financial_events_by_word on financial_events
  using gin (ledger_words(ledger_id, coalesce(description, '') || ' ' || coalesce(external_id, '')))
  where description is not null or external_id is not null;

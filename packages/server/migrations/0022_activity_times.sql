-- The disclosure of the times that a record about an event or a link is of. Null for all other records, and for
-- those of former releases.
alter table activity add column "when" text;

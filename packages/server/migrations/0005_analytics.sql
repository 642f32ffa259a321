-- Analyses read what links move by the time of their events.
create index link_allocations_by_time on link_allocations (ledger_id, "timestamp");

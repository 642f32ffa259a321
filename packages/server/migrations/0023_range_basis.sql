-- What an export proves to be complete: what was recorded in its range, or what was decided in it.

alter table exports add column range_basis text not null default 'recorded'
  constraint exports_range_basis_check check (range_basis in ('recorded', 'decided'));

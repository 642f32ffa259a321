import { describe, expect, it } from 'vitest';
import { findUnrestricted } from './check.js';

const TABLES = new Set(['t', 'u', 'v']);
const check = (text: string) => findUnrestricted(text, TABLES);

describe('The check of statements', () => {
  it.for([
    'select a from t where ledger_id = $1',
    'select a from public.t where b = $2 and (ledger_id = $1::uuid and c = $3)',
    'select a from t x join u y on y.ledger_id = x.ledger_id where x.ledger_id = $1',
    'select a from t x left join u y on y.ledger_id = x.ledger_id where x.ledger_id = $1',
    'select a from t join u using (ledger_id, a) where t.ledger_id = $1',
    'select a from t, u where (t.ledger_id, t.a) = (u.ledger_id, u.a) and u.ledger_id = $1',
    'select a from t x where x.ledger_id = $1 and exists (select from u where u.ledger_id = x.ledger_id)',
    'select (select max(a) from u where ledger_id = $1) from t where ledger_id = $1',
    'select a from t, lateral (select b from u where u.ledger_id = t.ledger_id) w where t.ledger_id = $1',
    'with w as (select * from t where ledger_id = $1) select a from w join u on u.ledger_id = w.ledger_id',
    'with w (ledger_id) as (select $1::uuid) select a from t join w on w.ledger_id = t.ledger_id',
    'with recursive w as (select ledger_id, a from t where ledger_id = $1 union all select t.ledger_id, t.a from w join t on t.ledger_id = w.ledger_id) select a from w',
    'select a from t where ledger_id = $1 union all select a from u where ledger_id = $1',
    'insert into t (a, ledger_id) values ($2, $1), ($3, $1)',
    'insert into t (ledger_id, a) select $1, a from unnest($2::text[]) as r (a)',
    'insert into t (ledger_id, a) select u.ledger_id, u.a from u where u.ledger_id = $1',
    'insert into t as x (ledger_id, a) values ($1, $2) on conflict (ledger_id) do update set a = excluded.a',
    'update t set a = $2 where ledger_id = $1',
    'update t x set a = u.a from u where u.ledger_id = x.ledger_id and x.ledger_id = $1',
    'delete from t using u where u.ledger_id = t.ledger_id and t.ledger_id = $1',
    'merge into t using (select * from u where ledger_id = $1) s on s.ledger_id = t.ledger_id when matched then delete',
    'select name from job',
    'select 1; set role ledger_app',
  ])('It accepts: %s', (text) => expect(check(text)).toEqual([]));

  it.for([
    ['select a from t', 't'],
    ['select a from t x', 't x'],
    ["select a from t where b = 'ledger_id = $1'", 't'],
    ['select a from t where ledger_id = $1 or b = $2', 't'],
    ['select a from t where not (ledger_id = $1)', 't'],
    ['select a from t where ledger_id <> $1', 't'],
    ['select a from t where ledger_id = any($1)', 't'],
    ['select a from t where ledger_id = ledger_id', 't'],
    ['select a from t x join u y on y.a = x.a where x.ledger_id = $1', 'u y'],
    ['select a from t left join u on t.ledger_id = $1 and u.ledger_id = $1', 't'],
    ['select a from t full join u on t.ledger_id = $1 and u.ledger_id = $1', 't'],
    ['select a from t x join u y on y.ledger_id = x.ledger_id', 't x'],
    ['select (select max(a) from u) from t where ledger_id = $1', 'u'],
    ['select a from t where ledger_id = $1 and exists (select from u where u.a = t.a)', 'u'],
    ['select a from (select * from u) w join t on t.ledger_id = w.ledger_id', 'u'],
    ['select a from unnest($1::uuid[]) r (ledger_id) join t on t.ledger_id = r.ledger_id', 't'],
    ['with w as (select a from u) select a from t where ledger_id = $1', 'u'],
    ['with u as (select 1) select a from public.u', 'u'],
    ['with w as (delete from u returning *) select a from w', 'u'],
    ['select a from t where ledger_id = $1 union all select a from u', 'u'],
    ['insert into t (a) values ($1)', 't'],
    ['insert into t values ($1)', 't'],
    ['insert into t (ledger_id, a) values ($1, $2), (gen_random_uuid(), $3)', 't'],
    ['insert into t (ledger_id, a) select u.ledger_id, u.a from u', 'u'],
    ['insert into t (ledger_id, a) values ($1, (select max(a) from u))', 'u'],
    ['update t set a = $1', 't'],
    ['update t set a = u.a from u where t.ledger_id = $1', 'u'],
    ['update t set ledger_id = $2 where ledger_id = $1', 't: its rows change'],
    ['delete from t', 't'],
    ['delete from t using u where t.ledger_id = $1', 'u'],
    ['merge into t using u on u.ledger_id = $1 when matched then delete', 't'],
    ['merge into t using u on u.ledger_id = $1 and t.ledger_id = $1 when matched then delete', 'u'],
    [
      'merge into t using (select $1 as a) s on t.ledger_id = $1 when not matched then insert (a) values (s.a)',
      't: MERGE inserts',
    ],
    ['truncate t', 't'],
    ['explain select a from t', 't'],
    ['copy t to stdout', 't'],
    ['copy (select a from t) to stdout', 't'],
  ])('It reports of %s: %s', ([text = '', first = '']) => {
    const problems = check(text);
    expect(problems[0]).toMatch(new RegExp(`^${first}\\b`));
  });
});

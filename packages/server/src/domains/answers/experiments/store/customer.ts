import sql, { raw, type Sql } from 'sql-template-tag';

/**
 * JSON text of the customer that a decision names: a string or a number; null without one. The member is
 * looked up in a subquery that the planner must not flatten, since it would parse the metadata once for
 * each use.
 * @param decision alias of the decision
 * @param key the member of the metadata that names the customer
 */
export function namedCustomer(decision: 'd' | 'o' | 'h', key: string): Sql {
  return sql`(select case when json_typeof(m.named) in ('string', 'number') then m.named::text end
    from (select ${raw(decision)}.metadata::json #> array['2', ${key}::text] as named offset 0) m)`;
}

/**
 * Hash of a customer (52 bits).
 * @param name of the column with its JSON text
 */
export function clusterOf(name: 'c.customer' | 'n.customer'): Sql {
  return sql`('x' || left(md5(${raw(name)}), 13))::bit(52)::bigint`;
}

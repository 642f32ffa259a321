import type pg from 'pg';
import { type Placement, placements } from '../../tables/placement.js';

/** A table whose rows are not where they belong. */
export interface Misplaced {
  readonly table: string;
  readonly to: Placement;
}

/** Whether the database can be spread over nodes. */
export async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'");
  return rows.length > 0;
}

/**
 * The tables of a schema that are not where the layout says, by their names.
 * @param client on a database with Citus, as any role
 */
export async function findMisplaced(client: pg.Client, schema: string): Promise<Misplaced[]> {
  const expected = placements();
  const { rows } = await client.query<{ name: string; placement: Placement }>(
    `select c.relname as name, case when p.logicalrelid is null then 'local' when p.partmethod = 'h' then 'distributed'
      when p.repmodel = 't' then 'reference' else 'managed' end as placement
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    left join pg_dist_partition p on p.logicalrelid = c.oid
    where n.nspname = $1 and c.relname = any($2::text[]) and c.relkind = 'r' order by c.relname`,
    [schema, [...expected.keys()]],
  );
  return rows.flatMap(({ name, placement }) => {
    const to = expected.get(name);
    return to === undefined || to === placement ? [] : [{ table: name, to }];
  });
}

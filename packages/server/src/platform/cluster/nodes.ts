import type pg from 'pg';
import { hasCitus } from './layout.js';

/** A server that keeps rows of the database. */
export interface Node {
  /** Host and port; null for the server of the connection itself. */
  readonly name: string | null;
  /** Sends one statement. @returns the first column of the first row, as text */
  ask(text: string): Promise<string>;
}

/** All servers of a database: the one of the connection, and the workers of its cluster. */
export async function nodesOf(client: pg.Client): Promise<Node[]> {
  const own: Node = {
    name: null,
    async ask(text) {
      const { rows } = await client.query<(string | number | null)[]>({ text, rowMode: 'array' });
      return String(rows[0]?.[0] ?? '');
    },
  };
  if (!(await hasCitus(client))) return [own];
  const { rows } = await client.query<{ host: string; port: number }>(
    `select nodename as host, nodeport as port from pg_dist_node
    where groupid <> 0 and noderole = 'primary' order by groupid`,
  );
  return [own, ...rows.map(({ host, port }) => worker(client, host, port))];
}

function worker(client: pg.Client, host: string, port: number): Node {
  const name = `${host}:${port}`;
  return {
    name,
    async ask(text) {
      const { rows } = await client.query<{ success: boolean; result: string }>(
        'select success, result from master_run_on_worker(array[$1], array[$2::int], array[$3], false)',
        [host, port, text],
      );
      const [{ success, result } = { success: false, result: 'no answer' }] = rows;
      if (!success) throw new Error(`the node ${name} says: ${result}`);
      return result;
    },
  };
}

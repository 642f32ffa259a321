import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../failures.js';
import { ERASED_FROM } from '../purged-tables.js';
import type { Node } from './nodes.js';

const WAIT = { tries: 50, pauseMs: 200 };

/**
 * Waits until all earlier transactions of a node have ended, for some time.
 * @returns the first transaction id that is later than all of them; null if the node did not answer
 */
export async function awaitOlderOn(node: Node): Promise<string | null> {
  try {
    const now = await node.ask('select pg_current_xact_id()::xid::text');
    for (let tries = WAIT.tries; tries > 0; tries -= 1) {
      const older = await node.ask(`select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and greatest(age(backend_xmin), age(backend_xid)) > age('${now}'::xid)`);
      if (older === '0') break;
      await pause(WAIT.pauseMs);
    }
    return now;
  } catch {
    return null;
  }
}

/**
 * Looks whether the parts of the tables on a node were rewritten, and rewrites the samples of its planner.
 * @returns what is left there
 */
export async function rewrittenOn(node: Node, since: string | null): Promise<string[]> {
  if (since === null) {
    return [`${node.name}: the node does not answer: purge again when it runs`];
  }
  try {
    const old = await node.ask(`select string_agg(distinct c.relname, ' ') from pg_class c
      where c.relkind = 'r' and c.relname ~ '^(${ERASED_FROM.join('|')})_[0-9]+$'
        and age(c.relfrozenxid) > age('${since}'::xid)`);
    const left =
      old === ''
        ? []
        : [`${old} on ${node.name}: an older transaction still needs the old rows: purge again`];
    await node.ask('vacuum (full) pg_catalog.pg_statistic');
    return left;
  } catch (error) {
    return [`${node.name}: ${reasonOf(error)}: purge again`];
  }
}

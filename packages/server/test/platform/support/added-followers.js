// @ts-check
// JavaScript, because a process of its own runs it without a compiler.
import process from 'node:process';
import v8 from 'node:v8';
import sql, { raw } from 'sql-template-tag';
import { runService } from '#server/cli/serve';
import { readConfig } from '#server/config';
import { startFollowing } from '#server/platform/followers/runner';
import { ownRow } from '#server/platform/ledger';
import { POISON } from './poison.js';

/** @typedef {import('#server/platform/followers/follower').LogFollower} LogFollower */

/**
 * @param {Pick<LogFollower, 'name' | 'kind'>} follower
 * @param {(seq: number) => boolean} isPoison which decisions it cannot take
 * @returns {LogFollower}
 */
function noting({ name, kind }, isPoison) {
  return {
    ...{ name, kind, follows: ['decisions', 'activity'], owns: ['noted'], step: 50 },
    advance: async (ledger, { log, after, until }) => {
      /** @type {{ seq: number }[]} */
      const rows = await ledger.query(sql`select seq from ${raw(log)}
        where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}`);
      const seqs = rows.map(({ seq }) => seq);
      return {
        write: async (tx) => {
          await tx.query(sql`insert into noted (ledger_id, follower, log, seq)
            select own.ledger_id, ${name}, ${log}, seq
            from ${ownRow(ledger.ledgerId)} as own, unnest(${seqs}::bigint[]) as seq`);
          const poison = log === 'decisions' ? seqs.find(isPoison) : undefined;
          if (poison !== undefined) throw new Error(`decision ${poison} is poison`);
        },
      };
    },
  };
}

/** @type {readonly LogFollower[]} */
const ADDED = [
  noting({ name: 'added', kind: 'projection' }, () => false),
  noting({ name: 'added-passing', kind: 'projection' }, (seq) => seq % POISON.every === 0),
  noting({ name: 'added-stopped', kind: 'recorder' }, (seq) => seq === POISON.first),
];

// As in `run.js`.
v8.setFlagsFromString('--wasm-tiering-budget=300000000');

/** The service, with followers beside its own that note each record which they take in the table `noted`. */
await runService(readConfig(process.env), {
  onReady: async ({ service, url }) => {
    const onError = (/** @type {unknown} */ error) => process.stderr.write(`${error}\n`);
    startFollowing({ ...service, followers: ADDED, onError }, service.storage.notifications);
    process.stdout.write(`Decision Ledger listens on ${url}\n`);
  },
});

// The verification used by the command line and the API, in its own process to measure its CPU time.
import process from 'node:process';
import { answerTask } from './children.js';

/** @typedef {{ records: number, cpuSeconds: number, wallSeconds: number }} TimedWalk */

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

answerTask(async ({ databaseUrl, rounds, records }) => {
  const { openDatabase } = await built('platform/database.js');
  const { verifyDecisions } = await built('domains/record/decisions/index.js');
  const { installationOf } = await built('platform/statement.js');
  const { selectLedgers } = await built('domains/access/organisations/index.js');
  const client = { connectionString: databaseUrl };
  const db = openDatabase({ client, role: 'ledger_app', maxConnections: 2 });
  const ledger = (await selectLedgers(installationOf(db))).find(({ mode }) => mode === 'live');
  const scope = { orgId: ledger.org_id, ledgerId: ledger.ledger_id, mode: ledger.mode };
  const walk = async () => {
    const [cpu, wall] = [process.cpuUsage(), performance.now()];
    const request = { range: { start: undefined, end: undefined }, anchor: null };
    const { finding, recordsChecked } = await verifyDecisions(db.ledger(scope), request);
    const wallSeconds = (performance.now() - wall) / 1000;
    const used = process.cpuUsage(cpu);
    if (finding !== null) throw new Error(`the chain is broken: ${JSON.stringify(finding)}`);
    if (recordsChecked < records) throw new Error(`only ${recordsChecked} records were walked`);
    return { records: recordsChecked, cpuSeconds: (used.user + used.system) / 1e6, wallSeconds };
  };
  await walk();
  /** @type {TimedWalk[]} */
  const walks = [];
  while (walks.length < rounds) walks.push(await walk());
  await db.close();
  return walks;
});

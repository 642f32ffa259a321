// Serves batches of decisions, then lets the follower of estimates take them: CPU and log of each, in this process.
import { createRequire } from 'node:module';
import process from 'node:process';
import { answerTask } from './children.js';
import { BATCH, runLoad } from './load.js';
import { postgresCpuSeconds } from './postgres-usage.js';
import { raiseLimits } from './service.js';

const { pino } = createRequire(new URL('../../packages/server/package.json', import.meta.url))(
  'pino',
);

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

/** @typedef {{ cpuMs: number, logBytes: number }} Cost of one decision, or of 1,000 */
/** @typedef {{ append: Cost, follow: Cost }} Round per 1,000 decisions: CPU of the service and of PostgreSQL */

answerTask(async ({ environment, postgres, amount, rounds }) => {
  const { readConfig } = await built('config.js');
  const { openService } = await built('service.js');
  const { createApp } = await built('app.js');
  const { createOrganisation } = await built('domains/access/organisations/index.js');
  const { following } = await built('platform/followers/runner.js');
  const fail = (/** @type {unknown} */ error) => {
    throw error;
  };
  const config = readConfig(environment);
  const service = await openService(config, { onConnectionError: fail });
  const { live: key } = await createOrganisation(service, service.db, 'bench');
  const app = await createApp(service, config, pino({ level: 'warn' }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${/** @type {any} */ (app.server.address()).port}`;
  await raiseLimits(url, key);
  const followers = service.followers.filter(
    (/** @type {{ name: string }} */ { name }) => name === 'estimates',
  );
  const append = (/** @type {number} */ requests) =>
    runLoad({ what: 'batch', url, key, connections: 4, amount: requests });
  const follow = async () => {
    const run = following({ ...service, followers, onError: fail });
    await run.look(null);
    await run.idle();
  };

  const spent = async () => {
    const { user, system } = process.cpuUsage();
    const own = (user + system) / 1000;
    const server = postgres === null ? 0 : Number(postgresCpuSeconds(postgres)) * 1000;
    const [{ bytes }] = await service.db.query({
      text: "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes",
      values: [],
    });
    return { cpuMs: own + server, logBytes: bytes };
  };
  const costOf = async (/** @type {() => Promise<unknown>} */ work) => {
    const before = await spent();
    await work();
    const after = await spent();
    const thousands = (amount * BATCH) / 1000;
    return {
      cpuMs: (after.cpuMs - before.cpuMs) / thousands,
      logBytes: (after.logBytes - before.logBytes) / thousands / 1000,
    };
  };

  await append(amount);
  await follow();
  /** @type {Round[]} */
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ append: await costOf(() => append(amount)), follow: await costOf(follow) });
  }
  await app.close();
  await service.close();
  return measured;
});

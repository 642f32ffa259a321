// Signs rounds of the transparency logs of a ledger, by the code of the worker, in its own process.
import { setTimeout } from 'node:timers/promises';
import { answerTask } from './children.js';

/**
 * @typedef {object} FirstRound
 * @property {number} seconds
 * @property {string[]} decisions public ids, evenly spaced over the chain
 */

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

const TASKS = { often: signOften, first: timeFirst };

answerTask(async ({ environment, name, task, ...details }) => {
  const { readConfig } = await built('config.js');
  const { openService } = await built('service.js');
  const { selectLedgers } = await built('domains/access/organisations/index.js');
  const { signRound } = await built('domains/evidence/transparency/index.js');
  const fail = (/** @type {Error} */ error) => {
    throw error;
  };
  const service = await openService(readConfig(environment), { onConnectionError: fail });
  const ledgers = await selectLedgers(service.installation);
  const ledger = ledgers.find((/** @type {any} */ one) => one.name === name && one.mode === 'live');
  const scope = { orgId: ledger.org_id, ledgerId: ledger.ledger_id, mode: ledger.mode };
  const sign = () => signRound(service.db.ledger(scope), service, new AbortController().signal);
  const result = await TASKS[/** @type {keyof typeof TASKS} */ (task)](sign, details, {
    service,
    scope,
  });
  await service.close();
  return result;
});

/**
 * Far more often than a worker does.
 * @param {() => Promise<unknown>} sign
 * @param {any} details
 */
async function signOften(sign, { seconds, everyMs }) {
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  for (; performance.now() < end; rounds += 1) {
    await sign();
    await setTimeout(everyMs);
  }
  return rounds;
}

/**
 * The first round over a ledger.
 * @param {() => Promise<unknown>} sign
 * @param {any} details
 * @param {any} opened
 * @returns {Promise<FirstRound>}
 */
async function timeFirst(sign, { records, wanted }, { service, scope }) {
  const { uuidToId } = await built('platform/ids.js');
  const started = performance.now();
  await sign();
  const seconds = (performance.now() - started) / 1000;
  const step = Math.floor(records / wanted);
  const rows = await service.db.query({
    text: 'select decision_id from decisions where ledger_id = $1 and seq % $2 = 1 order by seq',
    values: [scope.ledgerId, step],
  });
  return {
    seconds,
    decisions: rows.map((/** @type {any} */ row) => uuidToId('dec', row.decision_id)),
  };
}

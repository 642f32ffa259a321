// A first round over a ledger, by the code of the worker, in its own process.
import { answerTask } from './answer.js';

/**
 * @typedef {object} FirstRound
 * @property {number} seconds
 * @property {string[]} decisions public ids, evenly spaced over the chain
 */

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

answerTask(async ({ environment, name, records, wanted }) => {
  const { readConfig } = await built('config.js');
  const { openService } = await built('service.js');
  const { selectLedgers } = await built('domains/access/organisations/index.js');
  const { signRound } = await built('domains/evidence/transparency/index.js');
  const { uuidToId } = await built('platform/ids.js');
  const fail = (/** @type {Error} */ error) => {
    throw error;
  };
  const service = await openService(readConfig(environment), { onConnectionError: fail });
  const ledgers = await selectLedgers(service.installation);
  const ledger = ledgers.find((/** @type {any} */ one) => one.name === name && one.mode === 'live');
  const scope = { orgId: ledger.org_id, ledgerId: ledger.ledger_id, mode: ledger.mode };
  const started = performance.now();
  await signRound(service.db.ledger(scope), service, new AbortController().signal);
  const seconds = (performance.now() - started) / 1000;
  const step = Math.floor(records / wanted);
  const rows = await service.db.query({
    text: 'select decision_id from decisions where ledger_id = $1 and seq % $2 = 1 order by seq',
    values: [scope.ledgerId, step],
  });
  await service.close();
  return {
    seconds,
    decisions: rows.map((/** @type {any} */ row) => uuidToId('dec', row.decision_id)),
  };
});

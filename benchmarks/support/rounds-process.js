// Signs rounds of the transparency logs of a ledger, far more often than a worker does.
import { setTimeout } from 'node:timers/promises';
import { answerTask } from './answer.js';

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

answerTask(async ({ environment, name, seconds, everyMs }) => {
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
  const end = performance.now() + seconds * 1000;
  let rounds = 0;
  for (; performance.now() < end; rounds += 1) {
    await signRound(service.db.ledger(scope), service, new AbortController().signal);
    await setTimeout(everyMs);
  }
  await service.close();
  return rounds;
});

// Records a decision and ends in the way that the first argument names.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';

const [way, url] = process.argv.slice(2);
const ledger = new Ledger({
  ...{ url, key: 'lg_test_1', lingerMs: 60_000 },
  ...(way === 'signal' && { signals: ['SIGTERM'] }),
});
ledger.record({
  ...{ agent_id: 'a', action_type: 'b', inputs: { way }, outputs: {}, confidence: 1 },
});
if (way === 'signal' || way === 'unheard') setInterval(() => undefined, 1000);
if (way === 'signal' || way === 'unheard') process.kill(process.pid, 'SIGTERM');

// @ts-check
// The outbox survives a crash: `node outbox.js crash` is killed before anything is sent. The next
// `node outbox.js` delivers what it recorded itself, and what the killed process left.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';

const {
  LEDGER_URL: url = 'http://127.0.0.1:8080',
  LEDGER_KEY: key = '',
  LEDGER_OUTBOX: outbox = './outbox',
} = process.env;

const ledger = new Ledger({ url, key, outbox });
for (const order of ['A-1041', 'A-1042', 'A-1043']) {
  ledger.record({
    agent_id: 'shipping-bot',
    action_type: 'choose_carrier',
    inputs: { order },
    outputs: { carrier: 'north-post' },
    confidence: 0.88,
    metadata: { order_id: order },
  });
}
if (process.argv[2] === 'crash') process.kill(process.pid, 'SIGKILL');

const { accepted } = await ledger.close();
console.log(`${accepted} decisions were delivered`);

// @ts-check
// An agent in three lines.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;

const ledger = new Ledger({ url, key });
ledger.record({
  agent_id: 'refund-bot',
  action_type: 'refund',
  inputs: { order: 'A-1041', reason: 'damaged' },
  outputs: { approved: true, amount: '49.00' },
  confidence: 0.93,
});
await ledger.close();

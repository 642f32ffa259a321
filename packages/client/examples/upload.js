// @ts-check
// A claims agent reads a large report. The report is uploaded, and its decision states what was read.
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
const ledger = new Ledger({ url, key });

const pages = Array.from({ length: 20_000 }, (_, page) => ({ page, text: 'No fault was found.' }));
const report = new TextEncoder().encode(JSON.stringify({ claim_id: 'C-88', pages }));

const outputs = await ledger.uploads.send(report, 'application/json');
const { decision_id } = await ledger.recordNow({
  agent_id: 'claims-bot',
  action_type: 'assess_claim',
  inputs: { claim_id: 'C-88' },
  outputs,
  confidence: 0.9,
});

const bytes = await ledger.uploads.read(decision_id, 'outputs');
console.log(`${report.length} bytes were recorded, and ${bytes.length} read again`);
await ledger.close();

// @ts-check
// An auditor exports the decisions of a period and checks them without trusting the service:
// `node audit.js 2026-04-01 2026-04-30 evidence.zip`. It needs the package @decision-ledger/verifier,
// and the fingerprint of the signing key, obtained from the organisation by another way.
import { writeFile } from 'node:fs/promises';
import process from 'node:process';
import { Ledger } from '@decision-ledger/client';
import { memorySource } from '@decision-ledger/verifier/archive/byte-source';
import { reportText } from '@decision-ledger/verifier/report/text';
import { verifyBundle } from '@decision-ledger/verifier/verify';

const {
  LEDGER_URL: url = 'http://127.0.0.1:8080',
  LEDGER_KEY: key = '',
  LEDGER_KEY_FINGERPRINT: keyFingerprint = '',
} = process.env;
const [start_date = '', end_date = '', file = 'evidence.zip'] = process.argv.slice(2);

const ledger = new Ledger({ url, key });
const { archive } = await ledger.exports.waitAndDownload({
  export_type: 'forensic',
  start_date,
  end_date,
});
await writeFile(file, archive);

const report = await verifyBundle(memorySource(archive), { keyFingerprint });
console.log(reportText(report));
// What no bundle proves alone stays unproven: read it in the report.
const { integrity, authenticity } = report.verdicts;
const isFailed = Object.values(report.verdicts).some(({ verdict }) => verdict === 'fail');
const isProven = integrity.verdict === 'pass' && authenticity.verdict === 'pass';
process.exitCode = isProven && !isFailed ? 0 : 1;

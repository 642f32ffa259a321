// The health check of the container image, which has neither curl nor wget.
import process from 'node:process';

const port = process.env.LEDGER_PORT ?? '8080';
const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;

import { resolve } from 'node:path';

/** The package of the server. */
export const SERVER = resolve(import.meta.dirname, '../..');
/** The repository. */
export const ROOT = resolve(SERVER, '../..');
export const VERIFIER = resolve(ROOT, 'packages/verifier/bin/decision-ledger-verify.js');

// Builds the documentation as a static site: node scripts/docs-site.js FOLDER. The build of the service runs it.
import { join } from 'node:path';
import process from 'node:process';
import { buildSite } from '@decision-ledger/site/build';
import { LISTS, readFacts } from './docs-generate.js';

const [out] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write('usage: node scripts/docs-site.js FOLDER\n');
  process.exit(2);
}
const facts = await readFacts();
const lists = Object.fromEntries(Object.entries(LISTS).map(([name, list]) => [name, list(facts)]));
await buildSite({ root: join(import.meta.dirname, '..'), facts: { ...facts, lists }, out });
// The service that only declares its routes keeps threads open.
process.exit(0);

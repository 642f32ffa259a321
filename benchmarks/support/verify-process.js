// The verification used by the command line and the API, in its own process to measure its CPU time.
import { hash } from 'node:crypto';
import process from 'node:process';
import { answerTask } from './children.js';

/**
 * @typedef {object} TimedWalk
 * @property {number} records
 * @property {number} cpuSeconds
 * @property {number} wallSeconds
 * @property {number} hashedPerCpuSecond records whose stored bytes SHA-256 alone takes in
 * @property {number} floorPerCpuSecond records whose hashes alone are made as the format requires
 */

/** Records whose stored bytes are kept in memory. */
const HASHED = 20_000;

const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

answerTask(async ({ databaseUrl, organisation, rounds, records }) => {
  const { serviceLogin } = await built('platform/connection.js');
  const { postgresAddress } = await built('platform/postgres-address.js');
  const { openDatabase } = await built('platform/database.js');
  const { verifyDecisions } = await built('domains/record/decisions/index.js');
  const { installationOf } = await built('platform/statement.js');
  const { selectLedgers } = await built('domains/access/organisations/index.js');
  const place = { url: databaseUrl, ownerUrl: databaseUrl, role: null, schema: 'public' };
  const login = serviceLogin(postgresAddress(place, []));
  const db = openDatabase({ ...login, maxConnections: 2 });
  const ledger = (await selectLedgers(installationOf(db))).find(
    ({ name, mode }) => name === organisation && mode === 'live',
  );
  const scope = { orgId: ledger.org_id, ledgerId: ledger.ledger_id, mode: ledger.mode };
  const walk = async () => {
    const [cpu, wall] = [process.cpuUsage(), performance.now()];
    const request = { range: { start: undefined, end: undefined }, anchor: null };
    const { finding, recordsChecked } = await verifyDecisions(db.ledger(scope), request);
    const wallSeconds = (performance.now() - wall) / 1000;
    const used = process.cpuUsage(cpu);
    if (finding !== null) throw new Error(`the chain is broken: ${JSON.stringify(finding)}`);
    if (recordsChecked < records) throw new Error(`only ${recordsChecked} records were walked`);
    const cpuSeconds = (used.user + used.system) / 1e6;
    return {
      ...{ records: recordsChecked, cpuSeconds, wallSeconds },
      hashedPerCpuSecond: recordsPerCpuSecond(stored, hashAlone),
      floorPerCpuSecond: recordsPerCpuSecond(stored, hashAsRequired),
    };
  };
  const stored = await readTexts(db.ledger(scope));
  await walk();
  /** @type {TimedWalk[]} */
  const walks = [];
  while (walks.length < rounds) walks.push(await walk());
  await db.close();
  return walks;
});

/** @typedef {readonly Buffer[]} Texts of a record: its entry, then its payload */

/**
 * @param {readonly Texts[]} stored
 * @param {(texts: Texts) => void} take
 */
function recordsPerCpuSecond(stored, take) {
  const cpu = process.cpuUsage();
  for (const texts of stored) take(texts);
  const used = process.cpuUsage(cpu);
  return stored.length / ((used.user + used.system) / 1e6);
}

/** @param {Texts} texts */
function hashAlone(texts) {
  for (const text of texts) hash('sha256', text, 'hex');
}

/**
 * A leaf hash, and the commitment of each field: the base64url text of a disclosure is hashed.
 * @param {Texts} texts
 */
function hashAsRequired([entry, ...payload]) {
  hash('sha256', entry, 'hex');
  for (const text of payload) hash('sha256', text.toString('base64url'), 'base64url');
}

/**
 * The texts of each record that are hashed: its entry and its payload.
 * @param {import('../../packages/server/dist/platform/ledger.js').LedgerReader} ledger
 */
async function readTexts(ledger) {
  const rows = await ledger.query({
    text: `select entry, inputs, outputs, alternatives, metadata from decisions
      where ledger_id = $1 and seq <= $2 order by seq`,
    values: [ledger.ledgerId, HASHED],
  });
  return rows.map((row) =>
    Object.values(row)
      .filter((text) => text !== null)
      .map((text) => Buffer.from(text)),
  );
}

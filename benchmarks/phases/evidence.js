import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { inRepository, run } from '../support/children.js';
import { fillDistinct, fillMoney } from '../support/fill.js';
import { memoryOf } from '../support/measure.js';
import { query } from '../support/sql.js';

const SIZES = { decisions: 50_000, links: 5_000 };
const SMOKE_SIZES = { decisions: 200, links: 20 };
const SPAN_MS = 90 * 24 * 3_600_000;
const POLL_MS = 20;
/** How long a worker idles before its memory is measured, in ms. */
const IDLE_MS = 10_000;
const VERIFIER = inRepository('packages/verifier/bin/decision-ledger-verify.js');
/**
 * Prints the maximum memory of a process when it ends, in KiB. `maxRSS` would include what its parent had before the
 * program was loaded, so that the kernel's own figure is taken where there is one.
 */
const PRINT_MEMORY = `data:text/javascript,${encodeURIComponent(`
  import { existsSync, readFileSync } from 'node:fs';
  process.on('exit', () => {
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
    const most = /VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
    process.stdout.write('\\n' + most);
  });
`)}`;
/** The verdicts of a bundle without any fault, whose key nobody gave. */
const SOUND = { integrity: 'pass', completeness: 'unproven', time: 'unproven' };

/** A forensic export of a large range: its duration and memory, also those of the verifier. */
export const evidence = {
  name: 'evidence',
  needsPostgres: true,
  /**
   * @param {import('../run.js').Bench} bench
   * @returns {Promise<import('../support/figures.js').PhaseResult>}
   */
  async run({ services, smoke }) {
    const sizes = smoke ? SMOKE_SIZES : SIZES;
    const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-bench-'));
    const archive = join(folder, 'bundle.zip');
    const service = await services.start({ LEDGER_ROLE: 'api' });
    try {
      const key = await service.createOrganisation('bench');
      const decisions = await fillDistinct(service, key, sizes.decisions, sizes.links, SPAN_MS);
      await fillMoney(service, key, decisions.length);
      if (!smoke) await settle(service);
      const made = await makeExport(service, key, smoke ? 0 : IDLE_MS);
      const file = await fetch(made.url);
      writeFileSync(archive, Buffer.from(await file.arrayBuffer()));
      const checked = await verify(archive);
      return report(sizes, { ...made, bytes: statSync(archive).size }, checked);
    } finally {
      await service.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {import('../support/service.js').Service} service
 * @param {string} key
 * @param {number} idleMs
 */
async function makeExport(service, key, idleMs) {
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  await setTimeout(idleMs);
  const idle = await memoryOf(worker.url);
  const started = performance.now();
  const headers = { 'x-ledger-key': key, 'content-type': 'application/json' };
  const body = { export_type: 'forensic', start_date: '2000-01-01', end_date: '2100-01-01' };
  const exports = `${service.url}/api/v1/exports`;
  let shown = await ask(exports, { method: 'POST', headers, body: JSON.stringify(body) });
  let peak = idle;
  while (shown.status !== 'complete') {
    if (shown.status === 'failed') throw new Error(`the export failed: ${shown.reason}`);
    peak = Math.max(peak, await memoryOf(worker.url));
    await setTimeout(POLL_MS);
    shown = await ask(`${exports}/${shown.export_id}`, { headers });
  }
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  return { url: String(shown.download_url), seconds, idle, peak };
}

/**
 * Processes the jobs left by the filling, with a worker that is not measured.
 * @param {import('../support/service.js').Service} service
 */
async function settle(service) {
  const worker = await service.another({ LEDGER_ROLE: 'worker' });
  for (let left = 1; left > 0; await setTimeout(POLL_MS * 50)) {
    const [row] = await query(
      service.databaseUrl,
      `select (select count(*) from job where state < 'completed')::int
         + (select count(*) from due_work where follower = 'suggestions')::int as left`,
    );
    left = row?.left ?? 0;
  }
  await worker.stop();
  await query(service.databaseUrl, 'vacuum (analyze)');
}

/**
 * @param {string} url
 * @param {RequestInit} request
 */
async function ask(url, request) {
  const answer = await fetch(url, request);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).data;
}

/** @param {string} archive */
async function verify(archive) {
  const started = performance.now();
  const printed = await run(process.execPath, [
    '--import',
    PRINT_MEMORY,
    VERIFIER,
    archive,
    '--json',
    ...['--allow-unproven', 'completeness', '--allow-unproven', 'authenticity'],
  ]);
  const seconds = (performance.now() - started) / 1000;
  const end = printed.trimEnd().lastIndexOf('\n');
  const { verdicts } = JSON.parse(printed.slice(0, end));
  for (const [name, due] of Object.entries(SOUND)) {
    if (verdicts[name].verdict !== due) throw new Error(JSON.stringify(verdicts[name]));
  }
  return { seconds, peak: JSON.parse(printed.slice(end)) / 1024 };
}

/**
 * @param {typeof SIZES} sizes
 * @param {{ bytes: number, seconds: number, idle: number, peak: number }} made
 * @param {{ seconds: number, peak: number }} checked
 * @returns {import('../support/figures.js').PhaseResult}
 */
function report(sizes, made, checked) {
  const title = `Forensic export of ${sizes.decisions.toLocaleString('en')} decisions`;
  const figure = (
    /** @type {string} */ what,
    /** @type {string} */ unit,
    /** @type {number} */ value,
  ) => ({ title: `${title}: ${what}`, unit, values: [value] });
  return {
    ratios: [],
    details: [
      figure('from the request to the link', 's', made.seconds),
      figure('size', 'MiB', made.bytes / 2 ** 20),
      figure('memory of the worker, idle', 'MiB', made.idle),
      {
        ...figure('memory of the worker above idle, most', 'MiB', made.peak - made.idle),
        goal: 150,
        goalIs: /** @type {const} */ ('most'),
      },
      figure('the verifier', 's', checked.seconds),
      figure('memory of the verifier, most', 'MiB', checked.peak),
    ],
    notes: [
      `evidence: ${sizes.links.toLocaleString('en')} financial events and links are in the range.`,
    ],
  };
}

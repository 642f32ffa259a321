// Small cases, each in a ledger of its own, against what is right: `npm run eval:money-cases`.
import process from 'node:process';
import { createHere } from '../../../benchmarks/support/organisations.js';
import { buildOrExit } from '../../../packages/server/bin/build/ensure.js';
import { findHledgerWeb } from '../../../packages/server/test/support/hledger-install.js';
import { findPostgres } from '../../../packages/server/test/support/postgres-install.js';
import { table } from '../../report.js';
import { createAccount } from '../balance.js';
import { deliver, untilFollowed, untilPolled } from '../feed.js';
import { BOOKS, connect, startShared } from '../service.js';
import { readCases } from './read.js';
import { eventsOf } from './stripe.js';

/** @typedef {import('./read.js').Case} Case */

process.exitCode = await main(process.argv[2] ?? '');

/** @param {string} words only cases whose title has these, or of the file of this name */
async function main(words) {
  const missing = findHledgerWeb().reason ?? findPostgres().reason;
  if (missing !== undefined) {
    process.stdout.write(`skipped: ${missing}\n`);
    return 0;
  }
  await buildOrExit();
  const { service, stop } = await startShared();
  const results = [];
  try {
    for (const one of readCases().filter(
      ({ title, file }) => title.includes(words) || file === words,
    )) {
      const found = await measure(service, one);
      const verdict = verdictOf(one, found);
      process.stderr.write(`${verdict}  ${one.title}\n`);
      results.push({ ...one, ...found, verdict });
    }
  } finally {
    await stop();
  }
  process.stdout.write(toText(results));
  return results.some(({ verdict }) => verdict === 'WRONG') ? 1 : 0;
}

/** @param {Case} one */
async function measure(service, { title, settings, said, journal }) {
  const key = await createHere(service.environment, title.slice(0, 100));
  const ledger = await connect({ url: service.url, key }, { rates: [], account: createAccount() });
  try {
    await ledger.api.patch('/settings', settings);
    for (const { name, ...report } of said.filter(({ source }) => source !== 'stripe')) {
      const { type: event_type, id, ...body } = report;
      const reference = id === undefined ? {} : { external_id: id };
      await ledger.api.post('/financial-events', { ...body, event_type, ...reference });
    }
    for (const event of eventsOf(said)) await deliver(ledger, event);
    await readBooks(ledger, journal);
    await untilFollowed(ledger.api);
    return await look(ledger.api);
  } finally {
    await ledger.stop();
  }
}

async function readBooks({ api, books }, journal) {
  books.write(journal);
  const { polled_at: before } = await untilPolled(api, BOOKS, null);
  await api.post(`/accounting/connections/${BOOKS}/poll`);
  await untilPolled(api, BOOKS, before);
}

async function look(api) {
  const { by_currency: totals, reported } = await api.get('/analytics/ai-pnl');
  const events = await api.all('/financial-events', 'financial_events');
  const questions = await api.all('/movements/same-money', 'reports');
  return {
    counted: new Map(totals.map(({ currency, total }) => [currency, Number(total)])),
    groups: new Set(events.map(({ movement }) => movement.reports[0])).size,
    questions: questions.length,
    addsUp: reported.every(addsUp),
  };
}

/** @param {Record<string, string>} lines of a currency */
function addsUp({ currency: _, reported, may_include_tax: __, ...lines }) {
  const sum = Object.values(lines).reduce((some, text) => some + Number(text), 0);
  return Math.abs(sum - Number(reported)) < 1e-6;
}

/** @param {Case} one @param {Awaited<ReturnType<typeof look>>} found */
function verdictOf({ right, movements, mayAsk }, { counted, groups, questions, addsUp: isWhole }) {
  const currencies = [...new Set([...counted.keys(), ...Object.keys(right)])];
  const isRight = currencies.every((currency) =>
    (right[currency] ?? [0]).some((one) => Math.abs(one - (counted.get(currency) ?? 0)) < 1e-6),
  );
  if (isWhole && isRight && (movements ?? groups) === groups) return 'right';
  if (questions === 0 || !isWhole) return 'WRONG';
  return mayAsk ? 'asked' : 'asked, though certain';
}

function toText(results) {
  const amounts = (all) =>
    [...all].map(([currency, some]) => `${[some].flat().join(' or ')} ${currency}`).join(', ');
  const count = (verdict) => results.filter((one) => one.verdict === verdict).length;
  const rows = results
    .filter(({ verdict }) => verdict !== 'right')
    .map(({ title, verdict, right, counted }) => [
      ...[verdict, title, amounts(Object.entries(right)), amounts(counted)],
    ]);
  const verdicts = ['right', 'asked', 'asked, though certain', 'WRONG'];
  const line = verdicts.map((verdict) => `${verdict}: ${count(verdict)}`).join(' · ');
  return `${[...table(['Verdict', 'Case', 'Right', 'Counted'], rows), '', line].join('\n')}\n`;
}

import { expect, it } from 'vitest';
import { fragmentsOf, readSources } from '../../../../scripts/support/statements.js';

/** The files that send statements across ledgers, and why these cannot name one. */
const ACROSS: Readonly<Record<string, string>> = {
  'doctor/database.ts': 'compares the clock with the last records of all ledgers, for the operator',
  'domains/access/keys/store/api-keys.ts': 'finds the ledger by the key that the caller brought',
  'domains/access/organisations/store/organisations.ts':
    "lists all ledgers for the operator's commands",
  'domains/access/sessions/store/sessions.ts':
    'finds the ledger by the token that the caller brought',
  'domains/access/settings/store/settings.ts':
    "reads an organisation's settings, which its live ledger has, and the origins of all ledgers",
  'domains/delivery/alerts/store/alerts.ts': 'searches for due work',
  'domains/evidence/exports/store/exports.ts':
    'counts the exports of both ledgers of an organisation, and searches for due work',
  'domains/evidence/reconciliation/store/reconciliations.ts': 'searches for due work',
  'domains/evidence/restores/store/restored-ledgers.ts': 'finds unaccepted losses before a start',
  'domains/evidence/signing-keys/store/signing-keys.ts': 'lists both ledgers whose key is changed',
  'domains/evidence/transparency/store/checkpoints.ts':
    'compares what this machine signed for any ledger, before a start',
  'domains/evidence/transparency/store/tlogs.ts': 'searches for due work',
  'domains/judgement/liability/store/snapshots.ts': 'searches for due work',
  'domains/log/announcements/store/announcements.ts': 'searches for due work',
  'domains/operations/monitoring/store/counts.ts': 'counts for the operator, over all ledgers',
  'domains/record/uploads/store/uploads.ts': 'searches for due work',
  'domains/sources/accounting/store/connections.ts': 'searches for due work',
  'domains/sources/otlp/store/span-groups.ts': 'searches for due work',
  'installation/stored.ts': 'compares a whole database with its data folder',
  'platform/followers/behind.ts': 'searches for due work',
  'platform/followers/progress.ts': 'counts for the operator, over all ledgers',
};

/** The composition roots, which make the access to all ledgers; and the one place that is none. */
const ROOTS = ['doctor/subject.ts', 'export-thread/thread.ts', 'storage.ts'];
const SETTINGS = 'domains/access/settings/read.ts';

/** A statement in a plain string, and where one may be: before there are ledgers, or for another system. */
const PLAIN = /(text|query)\s*[:(]\s*['"`]\s*(select|insert|update|delete|merge)/i;
const MAY_BE_PLAIN =
  /^platform\/(migrate(-names)?|purge|database|jobs\/migrate-jobs|cluster\/[a-z-]+)\.ts$|^installation\/require-installation\.ts$|^domains\/sources\/accounting\/connectors\//;

const sources = readSources();
const having = (pattern: RegExp) =>
  sources.filter(({ file }) => pattern.test(file.text)).map(({ path }) => path);

it('Only listed files send statements across ledgers', () => {
  expect(having(/\.queryAcross\b/).sort()).toEqual(Object.keys(ACROSS));
});

it('Only composition roots make the access to all ledgers', () => {
  const makers = having(/\binstallationOf\(/).filter((path) => path !== 'platform/statement.ts');
  expect(makers.sort()).toEqual([...ROOTS, SETTINGS].sort());
});

it('Nothing else can pass for a statement across ledgers', () => {
  expect(having(/across ledgers \*\//)).toEqual(['platform/statement.ts']);
});

it('No statement names a schema of the service, whose name a setting decides', () => {
  const named = /\b(?:public|pgboss|\w+_jobs)\.[a-z]/;
  const fragments = sources.flatMap(fragmentsOf);
  expect(fragments.filter(({ text }) => named.test(text))).toEqual([]);
  expect('select a from public.t').toMatch(named);
});

it('Every statement is written with the sql tag, where the searches find it', () => {
  expect(having(PLAIN).filter((path) => !MAY_BE_PLAIN.test(path))).toEqual([]);
  expect("db.query({ text: 'select a from t' })").toMatch(PLAIN);
});

it('Every store has statements, so that the searches find what they look for', () => {
  const stores = sources.filter(({ path }) => /\/store\/[^/]+\.ts$/.test(path));
  expect(stores.length).toBeGreaterThan(40);
  expect(stores.filter((source) => fragmentsOf(source).length === 0)).toEqual([]);
});

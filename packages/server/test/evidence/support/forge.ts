import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import { describeFile, packArchive, writeText } from '#server/domains/evidence/exports/seal';
import { openSigner } from '#server/domains/evidence/signing-keys/index';
import { provePinned } from '#server/domains/evidence/transparency/index';
import type { Scope } from '#server/platform/principal';
import { type Downloaded, jsonOf, textOf } from '../../support/exports.js';
import type { Instance } from '../../support/service.js';

type Json = Record<string, unknown>;

/** A bundle that an operator changes before it is signed again with the organisation's own key. */
export interface Forgery {
  readonly files: Map<string, string>;
  readonly manifest: Json & { decisions: Json; range: Json; activity: Json };
}

const NOTHING = '[\n]\n';
const UNLISTED = ['manifest.json', 'manifest.sig'];

export function forgeryOf(bundle: Downloaded): Forgery {
  const names = [...bundle.files.keys()].filter((name) => !UNLISTED.includes(name));
  const files = new Map(names.map((name) => [name, textOf(bundle, name)]));
  return { files, manifest: jsonOf<Forgery['manifest']>(bundle, 'manifest.json') };
}

/** Signs a forgery and packs it as the service packs its bundles. */
export async function seal(
  { service }: Instance,
  scope: Scope,
  { files, manifest }: Forgery,
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'forgery-'));
  try {
    const listed = [];
    for (const [name, text] of files) {
      await writeText(folder, name, text);
      listed.push(await describeFile(folder, name));
    }
    const text = `${JSON.stringify({ ...manifest, files: listed }, null, 2)}\n`;
    const signer = await openSigner(service, scope, 'operator');
    await writeText(folder, 'manifest.json', text);
    await writeText(folder, 'manifest.sig', signer.sign(Buffer.from(text)));
    await packArchive(folder, [...files.keys(), ...UNLISTED], 'bundle.zip', new Date(2027, 3, 16));
    return await readFile(join(folder, 'bundle.zip'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Shows only the decisions from `first` to `last`, and proves their place in the log. */
export async function keepOnly(
  { service }: Instance,
  scope: Scope,
  { files, manifest }: Forgery,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<void> {
  const isKept = ({ seq }: { readonly seq: number }) => first <= seq && seq <= last;
  const [genesis = '', ...entries] = (files.get('entries.ndjson') ?? '').trimEnd().split('\n');
  const run = entries.filter((line) => isKept(JSON.parse(line)));
  files.set('entries.ndjson', `${[genesis, ...run].join('\n')}\n`);
  const rows: { seq: number; hash: string; prev_hash: string }[] = JSON.parse(
    files.get('decisions.json') ?? '',
  );
  const kept = rows.filter(isKept);
  const lines = kept.map((row) => JSON.stringify(row)).join(',\n');
  files.set('decisions.json', kept.length === 0 ? NOTHING : `[\n${lines}\n]\n`);
  const [start, end] = [kept.at(0), kept.at(-1)];
  const ends = {
    first: start ? { seq: start.seq, hash: start.hash, prev_hash: start.prev_hash } : null,
    last: end ? { seq: end.seq, hash: end.hash } : null,
  };
  manifest.decisions = { ...manifest.decisions, ...ends, count: kept.length };
  const checked: Json = JSON.parse(files.get('chain_verification.json') ?? '');
  const told = { ...checked, start: ends.first, end: ends.last, records_checked: kept.length };
  files.set('chain_verification.json', JSON.stringify(told));
  const { size } = JSON.parse(files.get('decisions.range.json') ?? '');
  const log = { chain: 'decisions', generation: 1, size } as const;
  const proof = await provePinned(service.db.ledger(scope), log, { first, last });
  files.set('decisions.range.json', `${rangeProofText(proof)}\n`);
}

/** Withholds all events and links, but not the times that their records state. */
export function withholdMoney(forgery: Forgery): void {
  for (const name of ['events.json', 'links.json']) forgery.files.set(name, NOTHING);
  withhold(forgery, 'data');
}

/** Withholds the disclosures of a field of all records of events and links. */
export function withhold({ files }: Forgery, field: 'data' | 'when'): void {
  let isOfMoney = false;
  const kept = (files.get('activity.ndjson') ?? '').split('\n').filter((line) => {
    if (line.startsWith('{')) isOfMoney = /"type":"(financial_event|link)\./.test(line);
    return !(isOfMoney && line.startsWith('[') && line.split(',', 2)[1] === `"${field}"`);
  });
  files.set('activity.ndjson', kept.join('\n'));
}

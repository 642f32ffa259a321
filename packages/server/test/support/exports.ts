import { createPublicKey, createVerify } from 'node:crypto';
import { Export, SigningKeyPage } from '@decision-ledger/contract/export';
import { type Report, verifyBundle } from '@decision-ledger/verifier/verify';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js';
import sql from 'sql-template-tag';
import { expect } from 'vitest';
import type { RunTools } from '#server/domains/evidence/exports/export-run';
import { runExport } from '#server/domains/evidence/exports/run';
import type { Service } from '#server/service';
import { type VerificationPool, verificationPool } from '#server/verification/verification-pool';
import { type Answer, type Client, dataOf } from './client.js';
import { type Instance, scopeOf } from './service.js';
import { until } from './webhooks.js';

/** All days on which tests record. */
export const ALWAYS = { start_date: '2000-01-01', end_date: '2100-01-01' };

export type ExportFields = Readonly<
  Partial<Record<keyof typeof ALWAYS | 'export_type' | 'agent_id' | 'range_basis', string>>
> & { readonly filter?: Readonly<Record<string, unknown>> };

export function postExport(
  client: Client,
  fields: ExportFields = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return client.post('/exports', { export_type: 'forensic', ...ALWAYS, ...fields }, headers);
}

export async function askFor(client: Client, fields: ExportFields = {}): Promise<Export> {
  return dataOf(await postExport(client, fields), Export, 202);
}

export async function readExport(client: Client, id: string): Promise<Export> {
  return dataOf(await client.get(`/exports/${id}`), Export);
}

/** One thread for all verifications of a service, as it takes longer to start than to verify. */
const pools = new WeakMap<Service, VerificationPool>();

/** The tools with which a worker makes exports. */
export function runTools({ service }: Instance, changes: Partial<RunTools> = {}) {
  const pool = pools.get(service) ?? verificationPool(service.storage.address);
  pools.set(service, pool);
  const failures: unknown[] = [];
  const restarts: string[] = [];
  const tools: RunTools = {
    ...{ ...service, version: '0.0.0-test', verify: pool.verify, reconcile: pool.reconcile },
    onFailure: (error) => void failures.push(error),
    onRestart: (reason) => void restarts.push(reason),
    onSealed: () => undefined,
    ...changes,
  };
  return { tools, failures, restarts };
}

/** Makes a requested export, as a worker would. */
export async function make(
  bed: Instance,
  client: Client,
  id: string,
  changes: Partial<RunTools> = {},
): Promise<void> {
  const { tools, failures } = runTools(bed, changes);
  await runExport(
    tools.db.ledger(await scopeOf(bed, client)),
    tools,
    id,
    new AbortController().signal,
  );
  expect(failures).toEqual([]);
}

export interface Downloaded {
  readonly id: string;
  readonly archive: Buffer;
  /** The files of the bundle in order. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** A finished export, downloaded by its link. */
export async function download(bed: Instance, client: Client, id: string): Promise<Downloaded> {
  const { download_url = '' } = await readExport(client, id);
  const { pathname, search } = new URL(download_url, 'http://ledger');
  const answer = await bed.http.inject({ method: 'GET', url: `${pathname}${search}` });
  expect(answer.statusCode, answer.body).toBe(200);
  return { id, archive: answer.rawPayload, files: await unpack(answer.rawPayload) };
}

export async function bundleOf(
  bed: Instance,
  client: Client,
  fields: ExportFields = {},
): Promise<Downloaded> {
  const { export_id } = await askFor(client, fields);
  await make(bed, client, export_id);
  return download(bed, client, export_id);
}

/** The bytes of all its files, with their names. */
export function contentOf({ files }: Pick<Downloaded, 'files'>): Buffer {
  return Buffer.concat([...files].flatMap(([name, bytes]) => [Buffer.from(`${name}\n`), bytes]));
}

async function unpack(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const reader = new ZipReader(new Uint8ArrayReader(archive), { useWebWorkers: false });
  const files = new Map<string, Buffer>();
  for (const entry of await reader.getEntries()) {
    if (entry.directory) throw new Error(`${entry.filename} is a folder`);
    files.set(entry.filename, Buffer.from(await entry.getData(new Uint8ArrayWriter())));
  }
  await reader.close();
  return files;
}

const sourceOf = (archive: Uint8Array) => ({
  size: archive.length,
  read: async (offset: number, length: number) => archive.subarray(offset, offset + length),
});

interface CheckOptions {
  readonly keyFingerprint?: string;
  readonly previous?: Downloaded;
  /** A checkpoint that the auditor kept. */
  readonly checkpoint?: string;
}

/** The report of the offline verifier. */
export function check(
  { archive }: Pick<Downloaded, 'archive'>,
  options: CheckOptions = {},
): Promise<Report> {
  const { keyFingerprint, previous, checkpoint } = options;
  return verifyBundle(sourceOf(archive), {
    ...(keyFingerprint !== undefined && { keyFingerprint }),
    ...(checkpoint !== undefined && { checkpoint }),
    ...(previous !== undefined && { previous: sourceOf(previous.archive) }),
  });
}

/** What every bundle leaves unproven that proves nothing beyond itself. */
const ALONE = ['edges_unproven', 'log_unwitnessed', 'data_withheld', 'time_unattested'];

/** The verdicts of a bundle without any fault; that of the authenticity depends on the given key. */
export const CONSISTENT = { integrity: 'pass', completeness: 'consistent', time: 'consistent' };

/** The verdicts; `consistent` is unproven for no other reason than that a bundle stands alone. */
export function verdictsOf({ verdicts }: Report): Record<string, string> {
  const isAlone = (code: string) => ALONE.includes(code);
  return Object.fromEntries(
    Object.entries(verdicts).map(([name, { verdict, findings }]) => {
      const isConsistent = findings.length > 0 && findings.every(({ code }) => isAlone(code));
      return [name, isConsistent ? 'consistent' : verdict];
    }),
  );
}

export async function fingerprintOf(client: Client): Promise<string> {
  const { signing_keys } = dataOf(await client.get('/signing-keys'), SigningKeyPage);
  const [current] = signing_keys;
  if (current === undefined) throw new Error('the organisation has no key yet');
  return current.fingerprint;
}

/** A file of a bundle as JSON. */
export function jsonOf<Value = unknown>({ files }: Downloaded, name: string): Value {
  return JSON.parse(textOf({ files }, name));
}

export function textOf({ files }: Pick<Downloaded, 'files'>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`the bundle has no ${name}`);
  return file.toString('utf8');
}

/** Whether node:crypto accepts the signature; no part of the product verifies with it. */
export function isSigned({ files }: Downloaded): boolean {
  const [manifest, signature, key] = ['manifest.json', 'manifest.sig', 'ledger-pubkey.pem'].map(
    (name) => files.get(name) ?? Buffer.alloc(0),
  );
  const verify = createVerify('sha256').update(manifest ?? '');
  return verify.verify(createPublicKey(key ?? ''), signature ?? Buffer.alloc(0));
}

/** The bundle of an export that a worker has made. */
export async function finished(bed: Instance, client: Client): Promise<Downloaded> {
  const { export_id } = await askFor(client);
  await until('the export is complete', async () => {
    return (await readExport(client, export_id)).status === 'complete';
  });
  return download(bed, client, export_id);
}

/** The announced statuses of an export, in order. */
export async function statusesTold({ service }: Instance, id: string): Promise<string[]> {
  const rows = await service.db.query<{ status: string }>(sql`
    select data::json ->> 'status' as status from announcements
    where type = 'export.updated' and subject = ${id} order by seq`);
  return rows.map(({ status }) => status);
}

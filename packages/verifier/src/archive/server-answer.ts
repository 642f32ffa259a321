import { printable } from '../report/printable.js';
import type { ByteSource } from './byte-source.js';
import { ArchiveError } from './guarded-source.js';

/** Responses are far shorter; of longer files only the beginning is shown. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_SHOWN = 300;

const AGAIN = 'Download the bundle again and check the HTTP status: curl --fail reports errors.';

/** Remedies for errors of the service, by code. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'Send a valid API key (X-Ledger-Key), or request a new download link.'],
  ['forbidden', 'Download with a key that has the permission `export`, or use a download link.'],
  ['not_found', 'Check the id of the export, and that the key belongs to the same ledger.'],
  ['export_not_ready', 'Wait until the status of the export is complete, then download it.'],
  ['invalid_state', 'Check the export: if it failed, `reason` says why.'],
  ['gone', 'Bundles are kept for a day: request the export again.'],
  ['rate_limited', 'Wait for the time in Retry-After, then download it again.'],
]);

/**
 * Detects a server response that was saved instead of a bundle.
 * @returns null if the file is neither JSON nor HTML
 */
export async function serverAnswer(source: ByteSource): Promise<ArchiveError | null> {
  const bytes = await source.read(0, Math.min(source.size, MAX_ANSWER_BYTES));
  const text = new TextDecoder().decode(bytes).trimStart();
  if (/^<(!doctype\s+html|html|head|body)\b/i.test(text)) return describeHtml(text);
  if (!/^[[{]/.test(text)) return null;
  const value = source.size > MAX_ANSWER_BYTES ? undefined : parse(text);
  if (value === undefined) return null;
  return describeJson(value);
}

function describeHtml(text: string): ArchiveError {
  const title = /<title[^>]{0,100}>([^<]{1,1000})/i.exec(text)?.[1]?.trim();
  const named = title === undefined ? '' : `, “${shown(title)}”,`;
  return answer(
    `The file is a web page${named} and not an archive, for example from a proxy or a login page. ${AGAIN}`,
  );
}

function describeJson(value: unknown): ArchiveError {
  const error = memberOf(value, 'error');
  const code = memberOf(error, 'code');
  const message = memberOf(error, 'message');
  if (typeof code === 'string' && typeof message === 'string') {
    const remedy = REMEDIES.get(code) ?? AGAIN;
    return answer(
      `The file is an error response of the service and not an archive: ${shown(code)}: ${shown(message)}. ${remedy}`,
    );
  }
  if (typeof memberOf(memberOf(value, 'data'), 'export_id') === 'string') {
    return answer(
      'The file is the description of an export and not an archive. Download the bundle itself from /exports/{id}/download.',
    );
  }
  return answer(`The file is JSON and not an archive. ${AGAIN}`);
}

function answer(message: string): ArchiveError {
  return new ArchiveError('archive_answer', message);
}

/** A single line without control characters, of limited length. */
function shown(text: string): string {
  const line = printable(text)
    .replace(/\ufffd+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
  return short.replace(/\.$/, '');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { printable } from '../report/printable.js';
import { ArchiveError } from './archive-error.js';
import type { ByteSource } from './byte-source.js';

/** An answer is far shorter; what is longer is told by its beginning alone. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_SHOWN = 300;

const AGAIN =
  'Download the bundle again, and look at the status of the answer: curl --fail ends with an error where there is one.';

/** What to do about an error of the service, by its code. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'Send a valid API key (X-Ledger-Key), or take a new download link.'],
  ['forbidden', 'Download with a key that has the permission `export`, or take a download link.'],
  ['not_found', 'Check the id of the export, and that the key is of the same ledger.'],
  ['export_not_ready', 'Wait until the status of the export is complete, then download it.'],
  ['invalid_state', 'Look at the export: where it failed, its failure says why.'],
  ['gone', 'A bundle is kept for a day: ask for the export again.'],
  ['rate_limited', 'Wait as long as Retry-After says, then download it again.'],
]);

/**
 * Tells an answer of a server that was saved in place of a bundle from other files.
 * @returns null for what is neither JSON nor HTML
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
    `The file is a web page${named} and no archive, such as a proxy or a login page answers. ${AGAIN}`,
  );
}

function describeJson(value: unknown): ArchiveError {
  const error = memberOf(value, 'error');
  const code = memberOf(error, 'code');
  const message = memberOf(error, 'message');
  if (typeof code === 'string' && typeof message === 'string') {
    const remedy = REMEDIES.get(code) ?? AGAIN;
    return answer(
      `The file is an error answer of the service and no archive: ${shown(code)}: ${shown(message)}. ${remedy}`,
    );
  }
  if (typeof memberOf(memberOf(value, 'data'), 'export_id') === 'string') {
    return answer(
      'The file is the description of an export and no archive. Download the bundle itself from /exports/{id}/download.',
    );
  }
  return answer(`The file is JSON and no archive. ${AGAIN}`);
}

function answer(message: string): ArchiveError {
  return new ArchiveError('archive_answer', message);
}

/** One line without control characters, and not too long. */
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

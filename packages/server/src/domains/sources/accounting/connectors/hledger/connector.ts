import { ACCOUNTING, type ConnectionOf } from '@decision-ledger/contract/accounting';
import { sha256Base64url, sha256Hex } from '@decision-ledger/proof/hash';
import { assignPlaces } from '../../rules/hledger.js';
import { ConnectorError, callSystem } from '../call.js';
import type { Connector, ConnectorTools, Poll, SourceRecord } from '../connector.js';
import { type JournalMovement, readMovements, readTransactions } from './movements.js';

const WHO = 'hledger-web';

type HledgerConnection = ConnectionOf<'hledger'>;
type HledgerTools = Pick<ConnectorTools, 'outbound'>;

/**
 * Reads a journal through the JSON API of hledger-web (`hledger-web --serve-api`, 1.25 or newer).
 * The API has no list of changes, so each poll reads the whole journal and is complete. The cursor
 * stores the content of each posting with a code (see identity.ts).
 */
export const hledger = {
  ...ACCOUNTING.hledger,
  create: (connection: HledgerConnection, tools: HledgerTools) => ({
    poll: (cursor: string | null) => poll(connection, tools, cursor),
  }),
} satisfies Connector<'hledger'>;

async function poll(
  { url, accounts }: HledgerConnection,
  { outbound }: HledgerTools,
  before: string | null,
): Promise<Poll> {
  const answer = await callSystem(outbound, WHO, {
    method: 'GET',
    url: endpoint(url),
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) {
    const remedy = 'check that url is the address of hledger-web --serve-api';
    throw new ConnectorError(`${WHO} answered with status ${answer.status}: ${remedy}`, {
      isTemporary: false,
    });
  }
  const { movements, problems } = readMovements(readTransactions(answer.body), accounts);
  return { ...identifyMovements(movements, before), isComplete: true, problems };
}

/** `transactions` below the base address, which may have a path. */
function endpoint(base: string): string {
  if (!URL.canParse(base)) {
    throw new ConnectorError('url is not a URL: enter one such as http://127.0.0.1:5000', {
      isTemporary: false,
    });
  }
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/transactions`;
  return url.href;
}

const KEY_CHARS = 200;
const VERSION = '1';
const GROUP_CHARS = 8;
const MARK_CHARS = 6;
const EMPTY = '.'.repeat(MARK_CHARS);

interface Identified {
  readonly records: readonly SourceRecord[];
  readonly cursor: string;
}

/**
 * hledger numbers transactions by their position in the journal, so keys are made from the content.
 * - With a code: the code, the account, and a number among the postings that share both. The cursor
 *   stores the content of each number, so that an edited posting keeps its key.
 * - Without a code: the content, and a number among equal ones. An edit is a deletion and a new record.
 * @param before cursor of the last poll
 */
function identifyMovements(
  movements: readonly JournalMovement[],
  before: string | null,
): Identified {
  const known = readCursor(before);
  const marks = new Map<string, (string | null)[]>();
  const records = new Map<JournalMovement, SourceRecord>();
  for (const [name, group] of groupBy(movements, nameOf)) {
    const isCoded = group.some(({ code }) => code !== '');
    const contents = group.map(({ fingerprint }) => mark(fingerprint));
    const id = sha256Base64url(name).slice(0, GROUP_CHARS);
    const places = isCoded
      ? assignPlaces(known.get(id) ?? [], contents)
      : group.map((_movement, index) => index);
    for (const [index, movement] of group.entries()) {
      const { event, fingerprint } = movement;
      const place = places[index] ?? index;
      records.set(movement, { key: `${name}/${place + 1}`, fingerprint, event });
    }
    if (isCoded) marks.set(id, placed(places, contents));
  }
  return {
    records: movements.flatMap((movement) => records.get(movement) ?? []),
    cursor: writeCursor(marks),
  };
}

function nameOf({ code, account, fingerprint }: JournalMovement): string {
  if (code === '') return `content/${fingerprint}`;
  const name = `code/${escapePart(code)}/${escapePart(account)}`;
  return name.length <= KEY_CHARS - '/99999999'.length ? name : `code/${sha256Hex(name)}`;
}

function escapePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function groupBy(
  movements: readonly JournalMovement[],
  key: (movement: JournalMovement) => string,
): Map<string, JournalMovement[]> {
  const groups = new Map<string, JournalMovement[]>();
  for (const movement of movements) {
    const name = key(movement);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [movement]);
    else group.push(movement);
  }
  return groups;
}

/** A short fingerprint, which distinguishes the postings of one code and account. */
function mark(fingerprint: string): string {
  return sha256Base64url(fingerprint).slice(0, MARK_CHARS);
}

function placed(places: readonly number[], contents: readonly string[]): (string | null)[] {
  const last = places.reduce((highest, place) => Math.max(highest, place), 0);
  const list: (string | null)[] = Array.from({ length: last + 1 }, () => null);
  for (const [index, place] of places.entries()) list[place] = contents[index] ?? null;
  return list;
}

function writeCursor(marks: ReadonlyMap<string, readonly (string | null)[]>): string {
  const groups = Array.from(marks, ([id, list]) => {
    return `${id}${list.map((content) => content ?? EMPTY).join('')}`;
  });
  return [VERSION, ...groups.sort()].join(' ');
}

function readCursor(cursor: string | null): Map<string, (string | null)[]> {
  const [version, ...groups] = (cursor ?? '').split(' ');
  if (version !== VERSION) return new Map();
  return new Map(
    groups.map((group) => [
      group.slice(0, GROUP_CHARS),
      (group.slice(GROUP_CHARS).match(/.{6}/g) ?? []).map((content) =>
        content === EMPTY ? null : content,
      ),
    ]),
  );
}

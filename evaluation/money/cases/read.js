import { readdirSync, readFileSync } from 'node:fs';

/**
 * Small cases as text, for people to read and to add to:
 *
 *     # title
 *     > 100 EUR, 40 or 50 USD, 2 movements, may ask
 *     settings {"attribution": {…}}
 *     shop sale 100.00 EUR 2025-06-01 #A-100201 "description" {"metadata": "…"}
 *     stripe charge 100.00 EUR 2025-06-01T10:00:00Z @a "description" {"order_id": "A-100201"}
 *     2025-06-02 (A-100201) Sale
 *         income:sales  -100 EUR
 *         assets:stripe
 *
 * The second line says what counts, `or` where either is right; `may ask`: somebody careful would ask. A charge has a
 * name, by which `stripe refund`, `captured`, `voided` and `lost` (a dispute) are of it. The journal is hledger's.
 *
 * @typedef {object} Case
 * @property {string} title
 * @property {string} [file]
 * @property {Record<string, number[]>} right by currency
 * @property {number | undefined} movements
 * @property {boolean} mayAsk
 * @property {object} settings
 * @property {Said[]} said in this order
 * @property {string} journal
 *
 * @typedef {{ source: string, type: string, amount: string, currency: string, timestamp: string, id?: string,
 *   name?: string, description?: string, metadata?: Record<string, string> }} Said
 */

const LINE =
  /^(?<source>\S+) (?<type>\S+) (?<amount>-?[\d.]+) (?<currency>[A-Z]{3}) (?<time>\S+)(?: #(?<id>"[^"]+"|\S+))?(?: @(?<name>\S+))?(?: (?<text>"(?:[^"\\]|\\.)*"))?(?: (?<metadata>\{.*\}))?$/u;
const JOURNAL = /^(?:\d{4}-\d\d-\d\d |account | )/;

/** @returns {Case[]} of all files of this folder */
export function readCases() {
  const folder = new URL('.', import.meta.url);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) =>
      parseCases(readFileSync(new URL(name, folder), 'utf8')).map((one) => ({
        ...one,
        file: name,
      })),
    );
}

/** @param {string} text */
export function parseCases(text) {
  return text
    .split(/^# /m)
    .slice(1)
    .map((one) => parseCase(one.trimEnd().split('\n')));
}

/** @returns {Case} */
function parseCase([title, expected, ...lines]) {
  if (expected?.startsWith('> ') !== true) throw new Error(`${title}: says not what is right`);
  const parts = expected.slice(2).split(', ');
  const found = { right: {}, movements: undefined, mayAsk: false };
  for (const part of parts) {
    const [, amounts, unit] = /^(.+) (\S+)$/.exec(part) ?? [];
    if (part === 'may ask') found.mayAsk = true;
    else if (unit === 'movements') found.movements = Number(amounts);
    else found.right[unit] = amounts.split(' or ').map(Number);
  }
  const isJournal = (line) => JOURNAL.test(line);
  const settings = lines.find((line) => line.startsWith('settings '));
  const said = lines.filter((line) => line !== '' && line !== settings && !isJournal(line));
  return {
    ...{ title, ...found, said: said.map((line) => parseLine(line, title)) },
    settings: settings === undefined ? {} : JSON.parse(settings.slice('settings '.length)),
    // A new transaction begins after an empty line.
    journal: lines
      .filter(isJournal)
      .join('\n')
      .replaceAll(/\n(?=\d)/g, '\n\n'),
  };
}

/** @returns {Said} */
function parseLine(line, title) {
  const { groups } = LINE.exec(line) ?? {};
  if (groups === undefined) throw new Error(`${title}: ${line}`);
  const { source, type, amount, currency, time, id, name, text, metadata } = groups;
  return {
    ...{ source, type, amount, currency },
    timestamp: time.includes('T') ? time : `${time}T12:00:00Z`,
    ...(id !== undefined && { id: id.replaceAll('"', '') }),
    ...(name !== undefined && { name }),
    ...(text !== undefined && { description: JSON.parse(text) }),
    ...(metadata !== undefined && { metadata: JSON.parse(metadata) }),
  };
}

/** Currencies that Stripe sends without decimals, or with three; those of Hungary have two that are always zero. */
const DIGITS = { JPY: 0, KWD: 3 };

/** Stripe's smallest unit. @param {Pick<Said, 'amount' | 'currency'>} said */
export const minorOf = ({ amount, currency }) =>
  Math.round(Number(amount) * 10 ** (DIGITS[currency] ?? 2));

import { checker } from '@decision-ledger/contract/validation';
import { type Static, Type } from 'typebox';
import { ConnectorError } from '../errors.js';
import { parseExactJson } from '../exact-json.js';
import { describeProblem } from '../take-event.js';

/** Numbers are text here: see exact-json. */
const WholeNumber = Type.String({ pattern: '^-?\\d+$' });
const Tags = Type.Array(Type.Tuple([Type.String(), Type.String()]));

const Amount = Type.Object({
  acommodity: Type.String(),
  aquantity: Type.Object({ decimalMantissa: WholeNumber, decimalPlaces: WholeNumber }),
});
export type Amount = Static<typeof Amount>;

const Posting = Type.Object({
  paccount: Type.String(),
  pamount: Type.Array(Amount),
  pcomment: Type.String(),
  pdate: Type.Union([Type.String(), Type.Null()]),
  ptags: Tags,
  ptype: Type.String(),
});
export type Posting = Static<typeof Posting>;

const JournalTransaction = Type.Object({
  tcode: Type.String(),
  tcomment: Type.String(),
  tdate: Type.String(),
  tdescription: Type.String(),
  tpostings: Type.Array(Posting),
  ttags: Tags,
});
/** The members that are read of a transaction of hledger-web. */
export type JournalTransaction = Static<typeof JournalTransaction>;

const checkTransactions = checker(Type.Array(JournalTransaction), 'answer');

/**
 * Reads an answer of `/transactions`. One malformed transaction refuses the whole answer: a transaction
 * that is missing from the journal counts as deleted.
 * @throws ConnectorError
 */
export function readTransactions(body: string): readonly JournalTransaction[] {
  const answer = parseExactJson(body, 'hledger-web');
  try {
    return checkTransactions(answer);
  } catch (error) {
    const why = describeProblem(error).slice(0, 500);
    const message = `hledger-web did not send transactions: ${why}`;
    throw new ConnectorError(message, { isTemporary: false });
  }
}

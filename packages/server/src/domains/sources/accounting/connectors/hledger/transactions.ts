import { checker } from '@decision-ledger/contract/validation';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import type { SourceProblem } from '../../rules/source-record.js';
import { ConnectorError, parseExactJson } from '../call.js';
import { describeProblem } from '../take-event.js';

const REASON_CHARS = 500;

/** Numbers are text here: see parseExactJson. */
const WholeNumber = Type.String({ pattern: '^-?\\d+$' });
const Tags = Type.Array(Type.Tuple([Type.String(), Type.String()]));

const Quantity = Type.Object({ decimalMantissa: WholeNumber, decimalPlaces: WholeNumber });
const Amount = Type.Object({
  acommodity: Type.String(),
  aquantity: Quantity,
  /** The cost in another commodity, which other releases may write in another way. */
  aprice: Type.Optional(Type.Unknown()),
  acost: Type.Optional(Type.Unknown()),
});
export type Amount = Static<typeof Amount>;

/** hledger-web rounds to this many decimal places without notice. */
export const ROUNDED_PLACES = 10;

/** Whether an amount may have been rounded. */
export function isRounded({ decimalPlaces }: Pick<Amount['aquantity'], 'decimalPlaces'>): boolean {
  return Number(decimalPlaces) >= ROUNDED_PLACES;
}

const Posting = Type.Object({
  paccount: Type.String(),
  pamount: Type.Array(Amount),
  pcomment: Type.String(),
  pdate: Type.Union([Type.String(), Type.Null()]),
  pstatus: Type.Optional(Type.String()),
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
  /** Where the transaction begins and ends; other releases may write it in another way. */
  tsourcepos: Type.Optional(Type.Unknown()),
  tstatus: Type.Optional(Type.String()),
  ttags: Tags,
});
/** The members that are read of a transaction of hledger-web. */
export type JournalTransaction = Static<typeof JournalTransaction>;

const checkAnswer = checker(Type.Array(Type.Unknown()), 'answer');
const checkTransaction = checker(JournalTransaction, 'transaction');
const checkPlace = checker(
  Type.Array(Type.Object({ sourceName: Type.String(), sourceLine: WholeNumber }), { minItems: 1 }),
  'place',
);

const checkCost = checker(
  Type.Object({
    tag: Type.Union([
      Type.Literal('UnitPrice'),
      Type.Literal('UnitCost'),
      Type.Literal('TotalPrice'),
      Type.Literal('TotalCost'),
    ]),
    contents: Type.Object({ acommodity: Type.String(), aquantity: Quantity }),
  }),
  'cost',
);

/** What an amount costs in another commodity, by unit or in total; null if the answer states none that can be read. */
export function costOf({ acost, aprice }: Amount) {
  try {
    const { tag, contents } = checkCost(acost ?? aprice);
    return { isByUnit: tag === 'UnitPrice' || tag === 'UnitCost', ...contents };
  } catch {
    return null;
  }
}

export interface Transactions {
  readonly transactions: readonly JournalTransaction[];
  readonly problems: readonly SourceProblem[];
}

/**
 * Reads an answer of `/transactions`. A transaction of another structure is a problem of its own, unless all are.
 * @throws ConnectorError
 */
export function readTransactions(body: string): Transactions {
  const answer = parseExactJson(body, 'hledger-web');
  const transactions: JournalTransaction[] = [];
  const problems: SourceProblem[] = [];
  for (const [index, one] of listOf(answer).entries()) {
    try {
      transactions.push(checkTransaction(one));
    } catch (error) {
      const where = `${placeOf(Object(one).tsourcepos) ?? `transaction ${index + 1}`}`;
      problems.push({ where, reason: reasonOf(error), about: null });
    }
  }
  const [first] = problems;
  if (first !== undefined && transactions.length === 0) throw unusable(first.reason);
  return { transactions, problems };
}

function listOf(answer: JsonValue): unknown[] {
  try {
    return checkAnswer(answer);
  } catch (error) {
    throw unusable(reasonOf(error));
  }
}

const reasonOf = (error: unknown) => describeProblem(error).slice(0, REASON_CHARS);

function unusable(why: string): ConnectorError {
  return new ConnectorError(`hledger-web did not send transactions: ${why}`, {
    isTemporary: false,
  });
}

/** The name of the file, and the line; null if the answer states them in another way. */
export function placeOf(position: unknown): string | null {
  try {
    const [start] = checkPlace(position);
    return start === undefined || start.sourceName === ''
      ? null
      : `${start.sourceName.replace(/^.*[/\\]/s, '')} line ${start.sourceLine}`;
  } catch {
    return null;
  }
}

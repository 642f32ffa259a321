import { checker } from '@decision-ledger/contract/validation';
import { type Static, Type } from 'typebox';
import { classifyAccount, isWanted, ownTags, tagMetadata } from '../../rules/hledger.js';
import { ConnectorError, parseExactJson } from '../call.js';
import type { SourceEvent } from '../connector.js';
import {
  describeProblem,
  takeEvent,
  toAmount,
  toCurrency,
  toDescription,
  toTimestamp,
} from '../take-event.js';

/** hledger-web rounds to this many decimal places without notice. */
const ROUNDED_PLACES = 10;

/** A money movement of the journal before it has a key. */
export interface JournalMovement {
  /** Empty when the transaction has none. */
  readonly code: string;
  readonly account: string;
  readonly event: SourceEvent;
  readonly fingerprint: string;
}

export interface Movements {
  readonly movements: readonly JournalMovement[];
  readonly problems: readonly string[];
}

/**
 * Each amount other than zero of each real posting to a selected account. Virtual postings (in
 * brackets) move no money.
 */
export function readMovements(
  transactions: readonly JournalTransaction[],
  accounts: readonly string[] | undefined,
): Movements {
  const movements: JournalMovement[] = [];
  const problems: string[] = [];
  for (const transaction of transactions) {
    for (const posting of transaction.tpostings) {
      if (posting.ptype !== 'RegularPosting' || !isWanted(posting.paccount, accounts)) continue;
      for (const amount of posting.pamount.filter(({ aquantity }) => !isZero(aquantity))) {
        const taken = takeMovement(transaction, posting, amount);
        if ('problem' in taken) problems.push(`${name(transaction, posting)}: ${taken.problem}`);
        else movements.push(taken);
      }
    }
  }
  return { movements, problems };
}

function isZero({ decimalMantissa, decimalPlaces }: Amount['aquantity']): boolean {
  return /^-?0+$/.test(decimalMantissa) && Number(decimalPlaces) < ROUNDED_PLACES;
}

function name({ tdate, tcode, tdescription }: JournalTransaction, { paccount }: Posting): string {
  const code = tcode === '' ? '' : ` (${tcode})`;
  return `${tdate}${code} ${tdescription}, ${paccount}`;
}

function takeMovement(
  transaction: JournalTransaction,
  posting: Posting,
  { acommodity, aquantity }: Amount,
): JournalMovement | { problem: string } {
  const { tcode: code, tdescription } = transaction;
  const { paccount: account } = posting;
  const { eventType, sign } = classifyAccount(account);
  if (Number(aquantity.decimalPlaces) >= ROUNDED_PLACES) {
    return {
      problem: `hledger-web rounds to ${ROUNDED_PLACES} decimal places: write the amount with fewer`,
    };
  }
  const amount = toAmount(`${aquantity.decimalMantissa}e-${aquantity.decimalPlaces}`, sign);
  if (amount === null) {
    return { problem: 'the amount has more than 20 digits before the point' };
  }
  const currency = toCurrency(acommodity);
  if (currency === null) {
    const what = acommodity === '' ? 'an amount without commodity' : `commodity ${acommodity}`;
    return { problem: `${what} is not a currency: use an ISO 4217 code, $, € or £` };
  }
  const date = posting.pdate ?? transaction.tdate;
  const timestamp = toTimestamp(date);
  if (timestamp === null) return { problem: `the date ${date} is not supported` };
  const own = ownTags(posting.ptags, posting.pcomment);
  const shared = ownTags(transaction.ttags, transaction.tcomment);
  const type = [...own, ...shared].find(([tag, value]) => tag === 'type' && value !== '')?.[1];
  const taken = takeEvent({
    event_type: type ?? eventType,
    amount,
    currency,
    ...(code === '' ? {} : { external_id: code }),
    timestamp,
    ...toDescription(tdescription),
    metadata: { ...tagMetadata(shared), ...tagMetadata(own), account },
  });
  return 'problem' in taken ? taken : { code, account, ...taken };
}

/** Numbers are text here: see parseExactJson. */
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

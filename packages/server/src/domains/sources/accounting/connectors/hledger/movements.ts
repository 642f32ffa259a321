import { toAmount } from '../../rules/amount.js';
import { toCurrency } from '../../rules/currency.js';
import { classifyAccount, isWanted } from '../../rules/hledger-account.js';
import { ownTags, tagMetadata } from '../../rules/hledger-tags.js';
import type { SourceEvent } from '../connector.js';
import { takeEvent, toDescription, toTimestamp } from '../take-event.js';
import type { Amount, JournalTransaction, Posting } from './answer.js';

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

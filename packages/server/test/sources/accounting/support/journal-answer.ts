import type { Outbound } from '#server/platform/outbound';

/** A transaction with one posting that counts. */
export interface Entry {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly account: string;
  /** What is received, in cents. */
  readonly cents: number;
  readonly text: string;
  readonly code?: string;
  readonly commodity?: string;
}

const NO_TAGS = { pcomment: '', pdate: null, ptags: [], ptype: 'RegularPosting' };

/** What hledger-web answers for a journal. */
export function answerOf(entries: readonly Entry[]): string {
  return JSON.stringify(transactionsOf(entries));
}

export function transactionsOf(entries: readonly Entry[]): object[] {
  return entries.map(({ day, account, cents, text, code = '', commodity = 'USD' }, index) => ({
    ...{ tcode: code, tcomment: '', tdate: day, tdescription: text, ttags: [] },
    tsourcepos: [{ sourceName: '/books/main.journal', sourceLine: 3 * index + 1 }],
    tpostings: [
      {
        ...NO_TAGS,
        paccount: account,
        pamount: [
          {
            acommodity: commodity,
            aquantity: { decimalMantissa: -cents, decimalPlaces: 2, floatingPoint: -cents / 100 },
          },
        ],
      },
    ],
  }));
}

/** Answers in place of hledger-web. */
export function answering(body: () => string): Outbound {
  return async () => ({ status: 200, headers: {}, body: body() });
}

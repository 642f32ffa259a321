import type { Outcome } from '../report/report.js';

/** The meaning of each outcome, in plain English. */
type Sentences = { readonly [outcome in Outcome]: string };

export const INTEGRITY: Sentences = {
  pass: 'The disclosed values are those that the decision was recorded with, and the log covers it.',
  fail: 'The presentation contradicts itself: do not rely on it.',
  unproven: 'Nothing is proven.',
};

export const AUTHENTICITY: Sentences = {
  pass: 'The log is that of the given key.',
  fail: 'The log is signed with another key than the given one.',
  unproven:
    'It is not proven whose log this is. Give the verifier keys of the logs, which the organisation has to publish.',
};

export const TIME =
  "Times are those of the ledger's own clock. The log proves their order, not the times.";

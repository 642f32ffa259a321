import type { ChainStatement } from '@decision-ledger/proof/bundle/statement';
import { type Static, Type } from 'typebox';
import { type Article12Summary, erasedFields, readUse, type Use } from './article12.js';

/** The fields that Article 12 requires, with their paragraphs. */
const FIELDS = [
  { field: 'period_of_use.start', requirement: 'Article 12(3)(a)', lacks: lacks('start') },
  { field: 'period_of_use.end', requirement: 'Article 12(3)(a)', lacks: lacks('end') },
  {
    field: 'biometric_search.reference_database',
    requirement: 'Article 12(3)(b)',
    lacks: lacks('reference_database'),
  },
  {
    field: 'biometric_search.matched_input',
    requirement: 'Article 12(3)(c)',
    lacks: lacks('matched_input'),
  },
  { field: 'verifier.verifiers', requirement: 'Article 12(3)(d)', lacks: lacks('verifiers') },
  {
    field: 'inputs',
    requirement: 'Article 12(2)',
    lacks: (_use: Use, row: Article12Summary) => !row.has_inputs,
  },
  {
    field: 'outputs',
    requirement: 'Article 12(2)',
    lacks: (_use: Use, row: Article12Summary) => !row.has_outputs,
  },
] as const;

function lacks(name: keyof Use): (use: Use) => boolean {
  return (use) => use[name] === null;
}

const Count = Type.Integer({ minimum: 0 });
const Seq = Type.Union([Count, Type.Null()]);

/** Counts over the records, stored between two pieces. */
export const CompletenessTally = Type.Object({
  records: Count,
  first: Seq,
  last: Seq,
  overseen: Count,
  /** With a human in the loop but no named verifier. */
  unnamed: Count,
  /** In the order of FIELDS. */
  missing: Type.Array(Count),
  erased: Type.Record(Type.String(), Count),
});
export type CompletenessTally = Static<typeof CompletenessTally>;

export const NO_RECORDS: CompletenessTally = {
  records: 0,
  first: null,
  last: null,
  overseen: 0,
  unnamed: 0,
  missing: FIELDS.map(() => 0),
  erased: {},
};

export function addToTally(
  tally: CompletenessTally,
  rows: readonly Article12Summary[],
): CompletenessTally {
  let { first, last, overseen, unnamed } = tally;
  const missing = [...tally.missing];
  const erased = { ...tally.erased };
  for (const row of rows) {
    const use = readUse(row);
    first = Math.min(first ?? row.seq, row.seq);
    last = Math.max(last ?? row.seq, row.seq);
    if (row.human_in_loop) overseen += 1;
    if (row.human_in_loop && use.verifiers === null) unnamed += 1;
    for (const [at, field] of FIELDS.entries()) {
      if (field.lacks(use, row)) missing[at] = (missing[at] ?? 0) + 1;
    }
    for (const name of erasedFields(row)) erased[name] = (erased[name] ?? 0) + 1;
  }
  const records = tally.records + rows.length;
  return { records, first, last, overseen, unnamed, missing, erased };
}

const NOT_COVERED = [
  'Decisions that were never sent to the ledger.',
  'Whether the recorded data are true.',
  'Decisions recorded after the last one of this bundle, even if their timestamp is in the range.',
  'Financial events, their links to decisions, and liability estimates: a forensic bundle contains ' +
    'them.',
  'Logs of other systems, such as those of the model or of the application that uses it.',
  'Whether Article 12 applies and is complied with: the reader has to decide that.',
];

interface About {
  readonly start: string;
  readonly end: string;
  readonly generatedAt: string;
  readonly retention: Retention;
}

/** How long the ledger has kept records. */
export interface Retention {
  /** When the first decision of the ledger was recorded; null if there is none. */
  readonly oldest: string | null;
  /** Erasures of fields of any decision, as the chain of activity records them. */
  readonly erasures: number;
}

const DAY_MS = 86_400_000;

function describeRetention({ generatedAt, retention }: About): object {
  const { oldest, erasures } = retention;
  const from = oldest === null ? generatedAt : oldest;
  // The clocks of the service and of its database differ a little.
  const kept = Math.max(0, Date.parse(generatedAt) - Date.parse(from));
  return {
    oldest_record: oldest,
    days_since_oldest_record: Math.floor(kept / DAY_MS),
    recorded_erasures: erasures,
    policy:
      'The service deletes no decision: it only erases fields, and records each erasure in the chain of activity.',
    requirement:
      'Articles 19(1) and 26(6) of Regulation (EU) 2024/1689: logs are kept for a period appropriate to the ' +
      'purpose of the system, of at least six months.',
  };
}

/** completeness.json: what the bundle contains and what it lacks. Times as RFC 3339. */
export function completenessStatement(
  tally: CompletenessTally,
  chain: ChainStatement,
  about: About,
): object {
  const { records, first, last, overseen, unnamed, missing, erased } = tally;
  const length = first === null || last === null ? 0 : last - first + 1;
  const { is_valid, records_checked, first_broken_link, erased_fields, activity } = chain;
  return {
    format: 'decision-ledger/completeness/v1',
    generated_at: about.generatedAt,
    range: { start: about.start, end: about.end },
    records,
    run: {
      first_seq: first,
      last_seq: last,
      decisions: length,
      outside_range: length - records,
    },
    human_in_loop: { records: overseen, without_named_verifier: unnamed },
    missing_fields: FIELDS.map(({ field, requirement }, at) => ({
      field,
      requirement,
      missing: missing[at] ?? 0,
      of: records,
    })),
    erased_fields: {
      total: Object.values(erased).reduce((sum, count) => sum + count, 0),
      by_field: erased,
    },
    retention: describeRetention(about),
    chain_verification: {
      is_valid,
      records_checked,
      first_broken_link,
      erased_fields,
      verification_timestamp: chain.verification_timestamp,
      activity: {
        is_valid: activity.is_valid,
        records_checked: activity.records_checked,
        first_broken_link: activity.first_broken_link,
      },
    },
    not_covered: NOT_COVERED,
  };
}

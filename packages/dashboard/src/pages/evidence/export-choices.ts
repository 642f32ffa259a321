import type { Export, ExportBody } from '@decision-ledger/client/api/export';

export type ExportType = ExportBody['export_type'];

interface Description {
  readonly label: string;
  /** For whom, and what is in it. */
  readonly hint: string;
  /** Whether it contains decisions, so that a basis of its range can be chosen. */
  readonly hasDecisions: boolean;
}

export const EXPORT_TYPES: Readonly<Record<ExportType, Description>> = {
  forensic: {
    label: 'Forensic',
    hint: 'For courts and incident reviews: every decision, event and link with its proof.',
    hasDecisions: true,
  },
  compliance: {
    label: 'Compliance',
    hint: 'For regulators: the records that Article 12 of the EU AI Act requires.',
    hasDecisions: true,
  },
  insurance: {
    label: 'Insurance',
    hint: 'For underwriters: sums alone, without personal data.',
    hasDecisions: false,
  },
  statement: {
    label: 'Statement',
    hint: 'For finance and auditors: the figures of one agent with the rows that they add up.',
    hasDecisions: true,
  },
};

interface Days {
  /** YYYY-MM-DD, both included. */
  readonly first: string;
  readonly last: string;
}

/** The days of an export, in UTC. */
export function daysOf({ start_date, end_date }: Pick<Export, 'start_date' | 'end_date'>): Days {
  return { first: dayOf(Date.parse(start_date)), last: dayOf(Date.parse(end_date) - 1) };
}

/**
 * The quarter until today, for a form.
 * @param now ms since the epoch
 */
export function currentQuarter(now: number): Days {
  const last = dayOf(now);
  const month = Number(last.slice(5, 7));
  const first = String(month - ((month - 1) % 3)).padStart(2, '0');
  return { first: `${last.slice(0, 4)}-${first}-01`, last };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

import type { ExportBody } from '@decision-ledger/client/api/export';

export type ExportType = ExportBody['export_type'];
export type RangeBasis = NonNullable<ExportBody['range_basis']>;

interface Description {
  readonly label: string;
  /** For whom, and what is in it. */
  readonly hint: string;
}

export const EXPORT_TYPES: Readonly<Record<ExportType, Description>> = {
  forensic: {
    label: 'Forensic',
    hint: 'For courts and incident reviews: every decision, event and link with its proof.',
  },
  compliance: {
    label: 'Compliance',
    hint: 'For regulators: the records that Article 12 of the EU AI Act requires.',
  },
  insurance: {
    label: 'Insurance',
    hint: 'For underwriters: sums alone, without personal data.',
  },
  statement: {
    label: 'Statement',
    hint: 'For finance and auditors: the figures of one agent with the rows that they add up.',
  },
};

/** What a bundle with transparency logs proves to be complete. */
export const RANGE_BASES: Readonly<Record<RangeBasis, Description>> = {
  recorded: {
    label: 'Time of recording',
    hint: 'Proves that everything that was recorded in the range is there.',
  },
  decided: {
    label: 'Time of decision',
    hint: 'Proves that everything that was decided in the range is there, if the ledger limits how late a decision is recorded.',
  },
};

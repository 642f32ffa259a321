import type { ExportBody } from '@decision-ledger/client/api/export';

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

import type { Activity } from '@decision-ledger/client/api/activity';
import type { CsvTable } from './csv/csv-button.tsx';

/** The type of the entries that tell of an erasure. */
export const ERASURE = 'decision.field_erased';

/** The names of the fields that an entry says were erased. */
export function erasedFieldsOf({ data }: Activity): string {
  return Array.isArray(data?.fields) ? data.fields.join(', ') : '';
}

export function erasureReasonOf({ data }: Activity): string {
  return String(data?.reason ?? '');
}

export const ERASURES_CSV: CsvTable<Activity> = {
  name: 'erasures',
  columns: {
    activity_id: ({ activity_id }) => activity_id,
    created_at: ({ created_at }) => created_at,
    decision_id: ({ subject }) => subject,
    fields: erasedFieldsOf,
    actor: ({ actor }) => actor,
    reason: erasureReasonOf,
    seq: ({ seq }) => seq,
    hash: ({ hash }) => hash,
  },
};

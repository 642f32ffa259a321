/** The answers to a review, with their keys. */
export const ANSWERS = [
  { name: 'confirm', key: 'C', label: 'Confirm' },
  { name: 'reject', key: 'R', label: 'Reject' },
  { name: 'none', key: 'N', label: 'None of these' },
  { name: 'skip', key: 'S', label: 'Skip' },
  { name: 'undo', key: 'U', label: 'Undo' },
] as const;

/** What can be done now; null if it cannot. */
export type Actions = Readonly<Record<(typeof ANSWERS)[number]['name'], (() => void) | null>>;

export const KEYS = [
  ['J', 'next event'],
  ['K', 'previous event'],
  ['1–9', 'choose a candidate'],
  ['C', 'confirm it as the cause'],
  ['R', 'reject its suggestion'],
  ['N', 'none of these'],
  ['S', 'skip: nobody can tell'],
  ['U', 'undo the last answer'],
] as const;

/** The fields of the payload that can be disclosed and erased one by one. */
export const FIELDS = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type Field = (typeof FIELDS)[number];

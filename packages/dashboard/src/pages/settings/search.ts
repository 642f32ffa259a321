import { choiceOf, type Given } from '../../app/search-params.ts';

/** The sections of the page, in their order. */
export const SECTIONS = [
  ...(['attribution', 'thresholds', 'currencies', 'recording'] as const),
  ...(['keys', 'sessions', 'webhooks', 'failed-jobs'] as const),
] as const;

export type SectionName = (typeof SECTIONS)[number];

export interface SettingsSearch {
  readonly section?: SectionName | undefined;
}

export function readSettings(given: Given): SettingsSearch {
  return { section: choiceOf(given, 'section', SECTIONS) };
}

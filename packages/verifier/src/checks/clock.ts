/** How far after its recording a decision may be dated, because clocks differ. */
export const FUTURE_MS = 5 * 60 * 1000;

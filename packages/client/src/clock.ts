/** The time of the platform, in ms since the epoch. */
export const platformNow = (): number => Date.now();

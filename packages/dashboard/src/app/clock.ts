/** The time of the reader's device, in ms since the epoch. Nothing else reads a clock. */
export function now(): number {
  return Date.now();
}

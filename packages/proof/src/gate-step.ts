/** Characters of a text, or containers of a value, that are read between two pauses: some milliseconds of work. */
export const STEP = 64 * 1024;

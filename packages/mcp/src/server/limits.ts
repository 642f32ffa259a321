/** The longest message of a client, in bytes: a decision with all its fields, and more. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

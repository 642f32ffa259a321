/** What the file system says, and PostgreSQL, which may keep its files on the same disk. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether a disk is full, as an error says or what caused it. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && NO_ROOM.has(String(error.code))) return true;
  return isNoRoom(error.cause);
}

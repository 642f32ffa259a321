/**
 * The reason why a name is not valid for a file of a bundle, or null. Names are plain and flat, so that
 * unpacking a bundle overwrites no other file on any system.
 */
export function nameProblem(name: string): string | null {
  if (name.includes('\u0000')) return 'contains a NUL character';
  if (name.includes('\\')) return 'contains a backslash';
  if (name.startsWith('/')) return 'is an absolute path';
  if (/^[A-Za-z]:/.test(name)) return 'begins with a drive letter';
  if (name.split('/').includes('..')) return 'leads out of the folder';
  if (name.endsWith('/')) return 'is a folder';
  if (name.includes('/')) return 'is in a folder';
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)
    ? null
    : 'contains characters that no file name of a bundle has';
}

/** Maps names that some system treats as equal to the same text: ignores case and accent forms. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

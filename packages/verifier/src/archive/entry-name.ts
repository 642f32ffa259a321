/**
 * Why a name cannot be that of a file of a bundle, or null. Names are plain and flat, so that unpacking
 * a bundle overwrites no other file on any system.
 */
export function nameProblem(name: string): string | null {
  if (name.includes('\u0000')) return 'holds a NUL character';
  if (name.includes('\\')) return 'holds a backslash';
  if (name.startsWith('/')) return 'is an absolute path';
  if (/^[A-Za-z]:/.test(name)) return 'begins with a drive letter';
  if (name.split('/').includes('..')) return 'leads out of the folder';
  if (name.endsWith('/')) return 'is a folder';
  if (name.includes('/')) return 'lies in a folder';
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)
    ? null
    : 'holds characters that no file of a bundle has in its name';
}

/** Equal for names that some system takes for one: without case and the form of accents. */
export function foldedName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

import { readFileSync } from 'node:fs';

/** Variables whose value may be in a file, as container engines and systemd hand over secrets. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'LEDGER_DATABASE_OWNER_URL',
  'LEDGER_MASTER_KEY',
  'LEDGER_MASTER_KEY_PREVIOUS',
  'AWS_SECRET_ACCESS_KEY',
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable that names a file which cannot be used. */
export class SecretFileError extends Error {
  override readonly name = 'SecretFileError';
}

/**
 * Reads the secrets that variables such as LEDGER_MASTER_KEY_FILE name, without the blanks around them.
 * @throws SecretFileError
 */
export function withSecretFiles(env: Variables): Variables {
  const read: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (path === undefined || path === '') continue;
    if (env[name] !== undefined && env[name] !== '') {
      throw new SecretFileError(`set either ${name} or ${name}_FILE, not both`);
    }
    read[name] = textOf(name, path);
  }
  return { ...env, ...read };
}

function textOf(name: string, path: string): string {
  const text = contentOf(name, path).trim();
  if (text === '') throw new SecretFileError(`${name}_FILE names a file without content: ${path}`);
  return text;
}

function contentOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new SecretFileError(`${name}_FILE names a file that cannot be read (${code}): ${path}`);
  }
}

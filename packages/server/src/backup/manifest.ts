import { MODES } from '@decision-ledger/contract/permissions';
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { BackupError } from './backup-error.js';

/** The version of the format. A later release may add members, and changes the number for all else. */
export const FORMAT = 'decision-ledger-backup/v1';
export const MANIFEST = 'manifest.json';
/** Enough for a hundred thousand files. */
export const MAX_MANIFEST_BYTES = 32 << 20;

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0 });
const Head = Type.Object({ seq: Count, hash: Sha256 });

const BackedUpLedger = Type.Object({
  ledger: Type.String({ pattern: '^led_' }),
  organisation: Type.String(),
  mode: Type.Enum([...MODES]),
  decisions: Head,
  activity: Head,
});
export type BackedUpLedger = Static<typeof BackedUpLedger>;

const ListedFile = Type.Object({ name: Type.String(), bytes: Count, sha256: Sha256 });
export type ListedFile = Static<typeof ListedFile>;

/** What a backup holds. The heads are those of the chains in its database, exactly. */
const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  product_version: Type.String(),
  /** Version of the database schema. */
  migration: Count,
  made_at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  /** Whether the master key is in the backup. */
  has_master_key: Type.Boolean(),
  ledgers: Type.Array(BackedUpLedger),
  folders: Type.Array(Type.String()),
  files: Type.Array(ListedFile),
});
export type Manifest = Static<typeof Manifest>;

const Format = Type.Object({ format: Type.String() });

/** @throws BackupError if the text is no manifest of this format, or names a file that no backup has */
export function readManifest(text: string): Manifest {
  const value = parse(text);
  if (Check(Format, value) && value.format !== FORMAT) {
    throw new BackupError(
      `the backup has the format ${JSON.stringify(value.format.slice(0, 80))}, and this release reads ` +
        `${FORMAT}: restore it with the release that made it`,
    );
  }
  if (!Check(Manifest, value)) {
    const [first] = Errors(Manifest, value);
    const where = first === undefined ? '' : ` at ${first.instancePath || '/'}: ${first.message}`;
    throw new BackupError(`${MANIFEST} of the backup is not valid${where}`);
  }
  checkNames(value);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BackupError(`${MANIFEST} of the backup is not JSON`, { cause: error });
  }
}

const SEGMENT = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}';
const TREE = new RegExp(`^(?:pg|files)(?:/${SEGMENT}){1,6}$`);
const KEY_FILES: readonly string[] = ['master.key', 'master.key.next'];

/** Whether a backup may hold a file of this name: nothing outside the data folder can be named. */
export function isNameOfFile(name: string): boolean {
  return TREE.test(name) || KEY_FILES.includes(name);
}

function checkNames({ files, folders }: Manifest): void {
  const seen = new Set<string>();
  const names = [
    ...files.map(({ name }) => ({ name, isValid: isNameOfFile(name) })),
    ...folders.map((name) => ({ name, isValid: name === 'pg' || TREE.test(name) })),
  ];
  for (const { name, isValid } of names) {
    const shown = JSON.stringify(name.slice(0, 200));
    if (!isValid) throw new BackupError(`the backup names ${shown}, which is not a part of one`);
    // Some file systems do not distinguish the case of letters.
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw new BackupError(`the backup names ${shown} twice`);
    seen.add(folded);
  }
}

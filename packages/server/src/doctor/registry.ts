import type { Config } from '../config.js';
import { checkClock, checkInstallation, checkKeys, checkSchema } from './database.js';
import type { Finding } from './finding.js';
import {
  checkAllPages,
  checkControlFile,
  checkFolder,
  checkLock,
  checkWriteAheadLog,
} from './folder.js';
import { checkOpenFiles, checkSpace, checkVersions } from './machine.js';
import {
  checkConnections,
  checkPooler,
  checkPostgresSettings,
  checkPrivileges,
  checkReplica,
  checkServer,
  checkServerPages,
} from './postgres.js';
import type { DoctorSubject } from './subject.js';

type StorageKind = Config['storage']['kind'];

/** `before` the database is opened, while it is `open`, and `after` it is closed again. */
type Phase = 'before' | 'open' | 'after';

export interface Check {
  readonly storage: readonly StorageKind[];
  readonly phase: Phase;
  readonly run: (subject: DoctorSubject) => Promise<Finding>;
}

type CheckName =
  | 'versions'
  | 'open_files'
  | 'space'
  | 'folder'
  | 'lock'
  | 'control_file'
  | 'write_ahead_log'
  | 'database'
  | 'schema'
  | 'installation'
  | 'keys'
  | 'clock'
  | 'server'
  | 'privileges'
  | 'connections'
  | 'pooler'
  | 'replica'
  | 'settings'
  | 'pages'
  | 'server_pages';

const EMBEDDED = ['embedded'] as const;
const POSTGRES = ['postgres'] as const;
const BOTH = [...EMBEDDED, ...POSTGRES] as const;

/** Every check, in the order of the report. */
export const CHECKS: Readonly<Record<CheckName, Check>> = {
  versions: { storage: BOTH, phase: 'before', run: checkVersions },
  open_files: { storage: BOTH, phase: 'before', run: checkOpenFiles },
  space: { storage: BOTH, phase: 'before', run: checkSpace },
  folder: { storage: EMBEDDED, phase: 'before', run: checkFolder },
  lock: { storage: EMBEDDED, phase: 'before', run: checkLock },
  control_file: { storage: EMBEDDED, phase: 'before', run: checkControlFile },
  write_ahead_log: { storage: EMBEDDED, phase: 'before', run: checkWriteAheadLog },
  database: { storage: BOTH, phase: 'open', run: async ({ opening }) => opening },
  server: { storage: POSTGRES, phase: 'open', run: checkServer },
  privileges: { storage: POSTGRES, phase: 'open', run: checkPrivileges },
  connections: { storage: POSTGRES, phase: 'open', run: checkConnections },
  pooler: { storage: POSTGRES, phase: 'open', run: checkPooler },
  replica: { storage: POSTGRES, phase: 'open', run: checkReplica },
  settings: { storage: POSTGRES, phase: 'open', run: checkPostgresSettings },
  schema: { storage: BOTH, phase: 'open', run: checkSchema },
  installation: { storage: BOTH, phase: 'open', run: checkInstallation },
  keys: { storage: BOTH, phase: 'open', run: checkKeys },
  clock: { storage: BOTH, phase: 'open', run: checkClock },
  server_pages: { storage: POSTGRES, phase: 'open', run: checkServerPages },
  // The engine writes what is in its memory when it closes.
  pages: { storage: EMBEDDED, phase: 'after', run: checkAllPages },
};

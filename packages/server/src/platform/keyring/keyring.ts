import { deriveKey, MasterKeyError, SealError, SecretBox } from '../secrets.js';

/** A master key and its public id. */
export interface MasterKey {
  /** 16 hexadecimal characters derived from the key. They identify the key and disclose nothing else. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** What is sealed; each purpose has its own key, derived from the master key. */
export type SealedPurpose = 'settings' | 'accounting' | 'signing keys' | 'log keys' | 'kept keys';

/** Temporary tokens that the service signs; they expire when the master key changes. */
export type TokenPurpose = 'cursor' | 'download links' | 'stream positions' | 'stream tickets';

/** Keys that survive a change of the master key. They are stored sealed. */
export const KEPT = ['idempotency', 'insurance names', 'uploads'] as const;
export type KeptPurpose = (typeof KEPT)[number];

/** Signing keys of tokens. During a key rotation there are two. */
export interface TokenKeys {
  /** Signs new tokens. */
  readonly current: Buffer;
  /** Accepted keys. */
  readonly all: readonly Buffer[];
}

/** A keyring that can be passed to another thread. */
export interface PortableKeyring {
  readonly keys: readonly Uint8Array[];
  readonly currentId: string;
  readonly kept: ReadonlyMap<KeptPurpose, Uint8Array>;
}

export function masterKeyOf(bytes: Buffer): MasterKey {
  return { id: deriveKey(bytes, 'key id').toString('hex').slice(0, 16), bytes };
}

export function sealUnder(
  key: MasterKey,
  purpose: SealedPurpose,
  plain: string | Uint8Array,
  associated: string,
): Buffer {
  return new SecretBox(deriveKey(key.bytes, purpose)).seal(plain, associated);
}

/** The master keys of a process: one, or two during a rotation. */
export class Keyring {
  /** Newest first. */
  readonly keys: readonly MasterKey[];
  #currentId: string;
  #kept: ReadonlyMap<KeptPurpose, Buffer> = new Map();

  /** @param keys of 32 bytes each, newest first */
  constructor(keys: readonly Buffer[]) {
    const named = keys.map(masterKeyOf);
    this.keys = named.filter(({ id }, index) => named.findIndex((key) => key.id === id) === index);
    const [newest] = this.keys;
    if (newest === undefined) throw new RangeError('a keyring needs a key');
    this.#currentId = newest.id;
  }

  static from({ keys, currentId, kept }: PortableKeyring): Keyring {
    const keyring = new Keyring(keys.map((key) => Buffer.from(key)));
    const own = new Map([...kept].map(([purpose, key]) => [purpose, Buffer.from(key)] as const));
    keyring.adopt(currentId, own);
    return keyring;
  }

  portable(): PortableKeyring {
    return {
      keys: this.keys.map(({ bytes }) => bytes),
      currentId: this.#currentId,
      kept: this.#kept,
    };
  }

  find(id: string): MasterKey | undefined {
    return this.keys.find((key) => key.id === id);
  }

  /** Sets the current key and the kept keys, as stored in the database. */
  adopt(currentId: string, kept: ReadonlyMap<KeptPurpose, Buffer>): void {
    this.#currentId = currentId;
    this.#kept = kept;
  }

  /** Switches the sealing key, as stored in the database. */
  follow(currentId: string): void {
    this.#currentId = currentId;
  }

  /** A keyring with only one of its keys. */
  only({ bytes }: MasterKey): Keyring {
    return new Keyring([bytes]);
  }

  /** @throws MasterKeyError if the keyring was not yet compared with the database */
  kept(purpose: KeptPurpose): Buffer {
    const key = this.#kept.get(purpose);
    if (key === undefined) throw new MasterKeyError('the master key has not been checked yet');
    return key;
  }

  /** Opens a value sealed under any of the keys. @throws SealError */
  open(purpose: SealedPurpose, sealed: Uint8Array, associated: string): Buffer {
    let failure: unknown;
    for (const { bytes } of this.keys) {
      try {
        return new SecretBox(deriveKey(bytes, purpose)).open(sealed, associated);
      } catch (error) {
        if (!(error instanceof SealError)) throw error;
        failure = error;
      }
    }
    throw failure;
  }

  /** The keys of a token; `current` follows the database. */
  tokens(purpose: TokenPurpose): TokenKeys {
    const derived = new Map(
      this.keys.map(({ id, bytes }) => [id, deriveKey(bytes, purpose)] as const),
    );
    const all = [...derived.values()];
    const current = () => derived.get(this.#currentId) ?? all[0];
    return {
      all,
      get current() {
        const key = current();
        if (key === undefined) throw new RangeError('a keyring needs a key');
        return key;
      },
    };
  }
}

/** The result of resealing the values of one kind under another key. */
export interface Resealed {
  readonly values: number;
  /** The locations of values that no key of the keyring opens; they are unchanged. */
  readonly unreadable: readonly string[];
}

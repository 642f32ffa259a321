import { deriveKey, MasterKeyError, SealError, SecretBox } from '../secrets.js';

/** A master key with its public name. */
export interface MasterKey {
  /** 16 hexadecimal characters, derived from the key: tells two keys apart, and nothing else. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Buffer;
}

/** What is sealed, each under a key of its own that is derived from the master key. */
export type SealedPurpose = 'settings' | 'accounting' | 'signing keys' | 'kept keys';

/** What carries a signature of the service for a while: it expires when the master key changes. */
export type TokenPurpose = 'cursor' | 'download links' | 'stream positions' | 'stream tickets';

/** Keys that stay the same when the master key changes. They are stored sealed. */
export const KEPT = ['idempotency', 'insurance names'] as const;
export type KeptPurpose = (typeof KEPT)[number];

/** Keys that tokens are signed with. While the master key is changed there are two. */
export interface TokenKeys {
  /** Signs. */
  readonly current: Buffer;
  /** Each of them is accepted. */
  readonly all: readonly Buffer[];
}

/** A keyring in a form that can be handed to another thread. */
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

/** The master keys that a process was given: one, or two while the key is changed. */
export class Keyring {
  /** The newest first. */
  readonly keys: readonly MasterKey[];
  #currentId: string;
  #kept: ReadonlyMap<KeptPurpose, Buffer> = new Map();

  /** Takes 32 bytes each, the newest first. */
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
    keyring.take(currentId, own);
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

  /** Keeps what the database says: the key that seals now, and the keys that outlive it. */
  take(currentId: string, kept: ReadonlyMap<KeptPurpose, Buffer>): void {
    this.#currentId = currentId;
    this.#kept = kept;
  }

  /** Seals with another of its keys from now on, as the database says. */
  follow(currentId: string): void {
    this.#currentId = currentId;
  }

  /** A ring of one of its keys alone. */
  only({ bytes }: MasterKey): Keyring {
    return new Keyring([bytes]);
  }

  /** @throws MasterKeyError before the keyring was compared with the database */
  kept(purpose: KeptPurpose): Buffer {
    const key = this.#kept.get(purpose);
    if (key === undefined) throw new MasterKeyError('the master key has not been checked yet');
    return key;
  }

  /** What was sealed under any of the keys. @throws SealError */
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

  /** `current` follows the database for as long as the keyring lives. */
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

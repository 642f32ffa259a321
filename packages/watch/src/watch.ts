import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type AlarmKind, Alarms, type SendAlarm } from './alarms.js';
import { type FollowedLog, type Look, lookAt } from './follow-log.js';
import { ForkError, keepFork, readFork } from './fork.js';
import { KeptNotes } from './kept-notes.js';
import { openKey } from './log-key.js';
import { CHAINS, type Chain, type LogSource, SourceError } from './source.js';

export interface WatchTools {
  /** Where notes, keys, alarms and a fork are kept. */
  readonly folder: string;
  readonly source: LogSource;
  /** Verifier keys that were obtained independently. */
  readonly logKeys: readonly string[];
  /** In ms; 0 for never. */
  readonly staleAfterMs: number;
  readonly now: () => number;
  readonly send: SendAlarm;
  readonly onLook: (chain: Chain, look: Look) => void;
}

/** What a look at both logs ends with. */
export type WatchOutcome = 'fine' | 'alarm' | 'fork';

/** Follows both logs of a ledger. */
export class Watch {
  readonly #tools: WatchTools;
  readonly #alarms: Alarms;
  readonly #logs = new Map<Chain, FollowedLog>();

  private constructor(tools: WatchTools, alarms: Alarms) {
    this.#tools = tools;
    this.#alarms = alarms;
  }

  static async open(tools: WatchTools): Promise<Watch> {
    await mkdir(tools.folder, { recursive: true });
    return new Watch(tools, await Alarms.open(tools.folder, tools.send));
  }

  /**
   * Looks at both logs once, and raises alarms. After a fork, nothing is looked at any more.
   * @throws KeyChange if a given key is not the kept one
   */
  async look(): Promise<WatchOutcome> {
    const { folder, now } = this.#tools;
    const known = await readFork(folder);
    if (known !== null) {
      await this.#raiseFork(known);
      return 'fork';
    }
    for (const chain of CHAINS) {
      try {
        await this.#lookAt(chain);
      } catch (error) {
        if (!(error instanceof ForkError)) throw error;
        await keepFork(folder, error.fork);
        await this.#raiseFork(error.message);
        return 'fork';
      }
    }
    // Alarms that the key of a log preceded carry the name of its chain.
    for (const chain of CHAINS) {
      if (this.#logs.has(chain)) await this.#alarms.update(chain, new Map(), now());
    }
    return this.#alarms.active.length === 0 ? 'fine' : 'alarm';
  }

  async #lookAt(chain: Chain): Promise<void> {
    const { now, onLook, staleAfterMs } = this.#tools;
    let log: FollowedLog;
    try {
      log = await this.#openLog(chain);
    } catch (error) {
      if (!(error instanceof SourceError || error instanceof TlogError)) throw error;
      const look = { size: null, alarms: new Map([['unreachable', error.message] as const]) };
      onLook(chain, look);
      await this.#alarms.update(chain, look.alarms, now());
      return;
    }
    const { size, alarms } = await lookAt(log, now);
    const grown = await log.notes.lastGrowth();
    const found = new Map<AlarmKind, string>(alarms);
    if (staleAfterMs > 0 && grown !== null && now() - grown > staleAfterMs) {
      const since = new Date(grown).toISOString();
      found.set('stale', `${log.key.name} has no new checkpoint since ${since}`);
    }
    onLook(chain, { size, alarms: found });
    await this.#alarms.update(log.key.name, found, now());
  }

  async #openLog(chain: Chain): Promise<FollowedLog> {
    const { folder, logKeys, source } = this.#tools;
    const known = this.#logs.get(chain);
    if (known !== undefined) return known;
    const key = await openKey(folder, chain, logKeys, source);
    const notes = await KeptNotes.open(join(folder, chain));
    const log = { chain, key, notes, source };
    this.#logs.set(chain, log);
    return log;
  }

  async #raiseFork(meaning: string): Promise<void> {
    await this.#alarms.update('ledger', new Map([['fork', meaning]]), this.#tools.now());
  }
}

import { type Permission, permits, recordsAlone } from '@decision-ledger/contract/permissions';
import { parseJson } from '@decision-ledger/proof/gate';
import { expect } from 'vitest';
import type { Answer } from '../support/client.js';
import { ask, type Request } from './ask.js';
import { RandomChoices } from './choices.js';
import { type Caller, isAlive, type Ledger, type Remembered } from './ledger.js';
import type { World } from './world.js';

/** What a command was drawn as. */
export interface Draw {
  readonly ledger: number;
  /** Which caller of the ledger calls; most often the one that may do everything. */
  readonly caller: number;
  readonly seed: number;
}

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place % items.length];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

/** One command about one ledger: its random choices, and calls that are checked as every answer must be. */
export class Call extends RandomChoices {
  readonly world: World;
  readonly ledger: Ledger;
  readonly caller: Caller;

  constructor(world: World, { ledger, caller, seed }: Draw) {
    super(seed);
    this.world = world;
    this.ledger = at(world.ledgers, ledger);
    const { root, callers } = this.ledger;
    this.caller = caller < 70 ? root : at(callers, caller);
  }

  /** An id of this ledger, or rarely one of another ledger, or one that nothing has. */
  pickId(idsOf: (ledger: Ledger) => Iterable<string>, prefix: string): string {
    const unknown = `${prefix}_01h455vb4pex5vsknk084sn02q`;
    if (this.chance(0.03)) return unknown;
    const isForeign = this.chance(0.03);
    const ledger = isForeign ? (this.pick(this.world.ledgers) ?? this.ledger) : this.ledger;
    return this.pick(idsOf(ledger)) ?? unknown;
  }

  /** Whether the caller may do what needs a permission; null needs none in particular. */
  may(permission: Permission | null): boolean {
    if (!isAlive(this.caller, this.world.bed.clock.now())) return false;
    const { permissions } = this.caller;
    return permission === null ? !recordsAlone(permissions) : permits(permissions, permission);
  }

  /**
   * Calls an operation. Its answer is one that the description allows, a caller without the permission is refused,
   * and what was refused changed nothing.
   */
  async send(id: string, permission: Permission | null, request: Request = {}): Promise<Answer> {
    const before = await this.world.heads();
    const headers = { ...this.caller.headers, ...request.headers };
    const answer = await ask(this.world, id, { ...request, headers });
    this.world.touch();
    const after = await this.world.heads();
    const { name } = this.ledger;
    if (!this.may(permission)) {
      // Failed attempts of one address are limited.
      const refusals = isAlive(this.caller, this.world.bed.clock.now()) ? [403] : [401, 429];
      expect(refusals, `${id} without permission: ${answer.text}`).toContain(answer.status);
    }
    for (const [ledger, head] of before) {
      if (ledger === name && answer.status < 400) continue;
      expect(after.get(ledger), `${id} on ${name} changed ${ledger}`).toBe(head);
    }
    return answer;
  }

  /**
   * Calls an operation that takes an Idempotency-Key: now and then with one, and now and then again with a former one.
   * @returns null if it was a repeat
   */
  async once(id: string, permission: Permission, request: Request): Promise<Answer | null> {
    const former = this.pick(this.ledger.remembered.filter(({ operation }) => operation === id));
    if (former !== undefined && this.chance(0.15)) {
      await this.#repeat(former, permission);
      return null;
    }
    if (this.chance(0.6)) return this.send(id, permission, request);
    const key = `key-${this.ledger.remembered.length}-${this.below(1e9)}`;
    const answer = await this.send(id, permission, {
      ...request,
      headers: { ...request.headers, 'idempotency-key': key },
    });
    if (answer.status < 300) {
      const { path = {}, body, headers = {} } = request;
      const { status } = answer;
      const remembered = { key, operation: id, body, path, headers, status, data: rawData(answer) };
      this.ledger.remembered.push(remembered);
    }
    return answer;
  }

  async #repeat(former: Remembered, permission: Permission): Promise<void> {
    const { key, operation, body, path, status, data } = former;
    const headers = { ...former.headers, 'idempotency-key': key };
    const isOther = this.chance(0.3);
    const sent = isOther ? { ...objectOf(body), [`other${this.below(9)}`]: 1 } : body;
    const before = await this.world.heads();
    const answer = await this.send(operation, permission, { path, body: sent, headers });
    expect(await this.world.heads(), 'a repeat changed a ledger').toEqual(before);
    if (!this.may(permission)) return;
    if (isOther) expect([409, 422], answer.text).toContain(answer.status);
    else if (operation === 'issueKey') expect(answer.status, answer.text).toBe(409);
    else {
      // Each decision of a batch says whether it is a replay.
      const expected: unknown = JSON.parse(
        JSON.stringify(data).replaceAll('"replayed":false', '"replayed":true'),
      );
      expect([answer.status, rawData(answer)], answer.text).toEqual([status, expected]);
      expect(answer.header('idempotency-replayed')).toBe('true');
    }
  }
}

const objectOf = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};

/** The data of a successful answer. */
function rawData({ text }: Answer): unknown {
  const answer: unknown = parseJson(text, 80);
  return typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null;
}

import { createHash } from 'node:crypto';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { activityEntry, decisionEntry, genesisEntry } from '@decision-ledger/proof/entry';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { leafHash } from '@decision-ledger/proof/hash';
import { type When, whenText } from '@decision-ledger/proof/when';

export type Json = { [key: string]: JsonValue };
export type Row = Json;

export interface ChainRecord {
  readonly seq: number;
  readonly entry: string;
  readonly hash: string;
  readonly prevHash: string;
}

export interface DecisionRecord extends ChainRecord {
  readonly row: Row;
}

export interface ActivityRecord extends ChainRecord {
  readonly subject: string;
  /** Disclosure of the data, or null without data. */
  readonly disclosure: string | null;
  /** Disclosure of the times, or null without times. */
  readonly when: string | null;
}

export interface DecisionOptions {
  readonly timestamp?: string;
  readonly inputs?: Json;
  readonly metadata?: Json | null;
  readonly agent?: string;
}

const MINUTE = 60_000;

/**
 * The history of one ledger, step by step: both chains, and the rows that the service would store.
 * It uses only the entries of `proof`, and nothing of the verifier.
 */
export class Story {
  readonly ledger: string;
  readonly organisation = 'org_00000000000000000000000001';
  readonly mode: 'live' | 'test';
  readonly genesis: { readonly decisions: string; readonly activity: string };
  readonly decisions: DecisionRecord[] = [];
  readonly activity: ActivityRecord[] = [];
  readonly events = new Map<string, Row>();
  readonly links = new Map<string, Row>();
  #now: number;
  #salts = 0;
  #ids = 0;

  constructor({
    mode = 'live',
    ledger = 'led_00000000000000000000000001',
  }: { mode?: 'live' | 'test'; ledger?: string } = {}) {
    this.mode = mode;
    this.ledger = ledger;
    this.#now = Date.UTC(2026, 0, 5, 8);
    const genesis = (chain: 'decisions' | 'activity') =>
      genesisEntry({
        ...{ ledger, organisation: this.organisation, mode, chain, epoch: 1 },
        created_at: this.time(),
      });
    this.genesis = { decisions: genesis('decisions'), activity: genesis('activity') };
  }

  time(): string {
    return new Date(this.#now).toISOString();
  }

  wait(minutes = 1): string {
    this.#now += minutes * MINUTE;
    return this.time();
  }

  id(prefix: string): string {
    this.#ids++;
    return `${prefix}_${String(this.#ids).padStart(26, '0')}`;
  }

  salt(): string {
    this.#salts++;
    return createHash('sha256').update(`salt ${this.#salts}`).digest('base64url').slice(0, 22);
  }

  decide({
    timestamp,
    inputs = { amount: '19.90' },
    metadata = { note: 'é' },
    agent = 'refund-bot',
  }: DecisionOptions = {}): Row {
    const created_at = this.wait();
    const payload: Json = {
      inputs,
      outputs: { approved: true },
      ...(metadata !== null && { metadata }),
    };
    const [salts, commitments]: [Json, { [name: string]: string }] = [{}, {}];
    for (const [name, value] of Object.entries(payload)) {
      const salt = this.salt();
      salts[name] = salt;
      commitments[name] = commitmentOf(disclosureText(salt, name, canonicalJson(value)));
    }
    const before = this.decisions.at(-1);
    const columns = {
      decision_id: this.id('dec'),
      agent_id: agent,
      action_type: 'approve_refund',
      confidence: 0.93,
      human_in_loop: false,
      timestamp: timestamp ?? created_at,
      created_at,
      seq: (before?.seq ?? 0) + 1,
      prev_hash: before?.hash ?? leafHash(this.genesis.decisions),
    };
    const entry = decisionEntry({ ...columns, ledger: this.ledger, epoch: 1, commitments });
    const hash = leafHash(entry);
    const row: Row = {
      ...columns,
      ...payload,
      hash,
      salts,
      commitments,
      erased_fields: [],
      liability: null,
    };
    this.decisions.push({ seq: columns.seq, entry, hash, prevHash: columns.prev_hash, row });
    return row;
  }

  act(
    type: string,
    subject: string,
    data?: Json,
    actor = 'key_00000000000000000000000001',
  ): ActivityRecord {
    const created_at = this.wait();
    const disclosure =
      data === undefined ? null : disclosureText(this.salt(), 'data', canonicalJson(data));
    const times = this.timesOf(type, subject, data ?? {});
    const when = times === null ? null : whenText(this.salt(), times);
    const before = this.activity.at(-1);
    const [seq, prevHash] = [
      (before?.seq ?? 0) + 1,
      before?.hash ?? leafHash(this.genesis.activity),
    ];
    const entry = activityEntry({
      ...{ ledger: this.ledger, epoch: 1, seq, prev_hash: prevHash },
      ...{ activity_id: this.id('act'), type, actor, subject, created_at },
      commitments: {
        ...(disclosure !== null && { data: commitmentOf(disclosure) }),
        ...(when !== null && { when: commitmentOf(when) }),
      },
    });
    const record = { seq, entry, hash: leafHash(entry), prevHash, subject, disclosure, when };
    this.activity.push(record);
    return record;
  }

  /** The times that a record states; those of the first version state none. */
  protected timesOf(_type: string, _subject: string, _data: Json): When | null {
    return null;
  }

  erase(decision: Row, fields: string[]): void {
    const id = String(decision.decision_id);
    this.act('decision.field_erased', id, { fields, reason: 'asked by the person concerned' });
    for (const field of fields) this.empty(decision, field);
    decision.erased_fields = fields;
  }

  /** Removes a payload without a record in the chain. */
  empty(decision: Row, field: string): void {
    delete decision[field];
    const { salts } = decision;
    if (typeof salts === 'object' && salts !== null && !Array.isArray(salts)) delete salts[field];
  }

  recordEvent(body: Json, supersedes?: string): string {
    const id = this.id('evt');
    const data = { ...body, ...(supersedes !== undefined && { supersedes }) };
    const { seq } = this.act('financial_event.recorded', id, data);
    this.events.set(id, {
      id,
      ...data,
      created_at: this.time(),
      deleted_at: null,
      activity_seq: seq,
    });
    if (supersedes !== undefined)
      this.#remove(
        this.events,
        supersedes,
        'financial_event.deleted',
        { superseded_by: id },
        { superseded_by: id },
      );
    return id;
  }

  deleteEvent(id: string): void {
    this.#remove(this.events, id, 'financial_event.deleted');
  }

  createLink(decision_id: string, financial_event_id: string, extra: Json = {}): string {
    const id = this.id('lnk');
    const made = {
      ...{ decision_id, financial_event_id, correlation_strength: 0.5, link_type: 'loss' },
      ...{ attribution_method: 'manual', status: 'CONFIRMED' },
    };
    const { seq } = this.act('link.created', id, { ...made, ...extra });
    this.#link(id, { ...made, ...extra }, 'key_00000000000000000000000001', seq);
    return id;
  }

  /** Carries a link that was made or confirmed over to the event that superseded its own. */
  carryLink(former: string, financial_event_id: string): string {
    this.deleteLink(former);
    const row = this.#row(this.links, former);
    const { decision_id = null, correlation_strength = null, link_type = null } = row;
    const { attribution_method = null, status = null } = row;
    const made = { decision_id, financial_event_id, correlation_strength, link_type };
    const data = { ...made, attribution_method, status, supersedes: former };
    const id = this.id('lnk');
    const { seq } = this.act('link.created', id, data, 'connector');
    this.links.set(id, {
      ...{ ...row, id, financial_event_id, created_at: this.time() },
      ...{ deleted_at: null, activity_seq: seq },
    });
    return id;
  }

  suggestLink(
    decision_id: string,
    financial_event_id: string,
    strength: number,
    id = this.id('lnk'),
    extra: Json = {},
  ): string {
    const made = {
      ...{ decision_id, financial_event_id, correlation_strength: strength, link_type: 'loss' },
      status: 'ML_SUGGESTED',
      ...extra,
    };
    const score = {
      version: '1',
      probability: strength,
      parts: { temporal: 0.5, metadata: null },
      method: 'x'.repeat(100),
    };
    const { seq } = this.act('link.suggested', id, { ...made, score }, 'engine');
    const before = this.links.get(id);
    if (before === undefined)
      this.#link(id, { ...made, attribution_method: 'probabilistic', score }, 'engine', seq);
    else Object.assign(before, { correlation_strength: strength, score, activity_seq: seq });
    return id;
  }

  reviewLink(id: string, review: 'confirmed' | 'rejected'): void {
    const status = review === 'confirmed' ? 'ML_INFERRED' : 'REJECTED';
    const row = this.#row(this.links, id);
    const data = {
      decision_id: row.decision_id ?? null,
      financial_event_id: row.financial_event_id ?? null,
      status,
    };
    const { seq } = this.act(`link.${review}`, id, data, 'key_00000000000000000000000002');
    Object.assign(row, {
      status,
      reviewed_by: 'key_00000000000000000000000002',
      reviewed_at: this.time(),
      activity_seq: seq,
    });
    if (review === 'rejected') row.deleted_at = this.time();
  }

  deleteLink(id: string): void {
    const { status = null } = this.#row(this.links, id);
    this.#remove(this.links, id, 'link.deleted', { status });
  }

  #link(id: string, members: Json, created_by: string, activity_seq: number): void {
    const created_at = this.time();
    this.links.set(id, { id, ...members, created_by, created_at, deleted_at: null, activity_seq });
  }

  #remove(from: Map<string, Row>, id: string, type: string, data?: Json, members: Json = {}): void {
    const { seq } = this.act(type, id, data);
    const row = this.#row(from, id);
    Object.assign(row, {
      activity_seq: seq,
      deleted_at: row.deleted_at ?? this.time(),
      ...members,
    });
  }

  #row(from: Map<string, Row>, id: string): Row {
    const row = from.get(id);
    if (row === undefined) throw new Error(`there is no ${id}`);
    return row;
  }
}

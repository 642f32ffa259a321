import { createHash } from 'node:crypto';
import { subjectOf } from '@decision-ledger/proof/activity-types';
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
  readonly type: string;
  readonly subject: string;
  /** Disclosure of the data, or null without data. */
  readonly disclosure: string | null;
  /** Disclosure of the times, or null without times. */
  readonly when: string | null;
}

/** Ids of the events that report the same money, and of the one that leads. */
export interface Movement {
  readonly lead: string;
  readonly reports: readonly string[];
  /** What its records say besides. Default: that a person said so. */
  readonly because?: Json;
  readonly type?: 'movement.paired' | 'movement.parted';
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
  /** Changes the times that the next record of an event or a link states. */
  lie: ((when: When) => When) | null = null;
  /** Changes the entry of the next record to one that no writer makes. */
  forge: ((entry: string) => string) | null = null;
  /** The events that the next record of a movement is about, besides its own. */
  #others: readonly string[] = [];
  /** The reports of the movement of each event. */
  readonly #movements = new Map<string, readonly string[]>();
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
    const times = this.#timesOf(type, subject, data ?? {});
    const when = times === null ? null : whenText(this.salt(), times);
    const before = this.activity.at(-1);
    const [seq, prevHash] = [
      (before?.seq ?? 0) + 1,
      before?.hash ?? leafHash(this.genesis.activity),
    ];
    const honest = activityEntry({
      ...{ ledger: this.ledger, epoch: 1, seq, prev_hash: prevHash },
      ...{ activity_id: this.id('act'), type, actor, subject, created_at },
      commitments: {
        ...(disclosure !== null && { data: commitmentOf(disclosure) }),
        ...(when !== null && { when: commitmentOf(when) }),
      },
    });
    const entry = this.forge?.(honest) ?? honest;
    this.forge = null;
    const record = {
      ...{ seq, entry, hash: leafHash(entry), prevHash, type, subject, disclosure },
      when: entry.includes('"when":') ? when : null,
    };
    this.activity.push(record);
    return record;
  }

  /** The times that a record of an event or a link states; null for any other. */
  #timesOf(type: string, subject: string, data: Json): When | null {
    const about = subjectOf(type);
    if (about !== 'event' && about !== 'link') return null;
    const of = about === 'event' ? this.events.get(subject) : this.links.get(subject);
    const row = { ...of, ...data };
    const when = about === 'event' ? this.#timesOfEvent(row) : this.#timesOfLink(row);
    const { lie } = this;
    this.lie = null;
    return lie === null ? when : lie(when);
  }

  #timesOfEvent(row: Row): When {
    const others = this.#others.map((id) => this.#timestampOf(this.events.get(id) ?? {}));
    this.#others = [];
    return { event: this.#timestampOf(row), ...(others.length > 0 && { others }) };
  }

  #timesOfLink({ financial_event_id, decision_id }: Row): When {
    const decision = this.decisions.find(({ row }) => row.decision_id === decision_id)?.row ?? {};
    const event = this.events.get(String(financial_event_id)) ?? {};
    return { event: this.#timestampOf(event), decision: this.#timestampOf(decision) };
  }

  /** That of recording, for what the story does not know. */
  #timestampOf({ timestamp }: Row): string {
    return typeof timestamp === 'string' ? timestamp : this.time();
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

  /** Records movements of events: of each, the report that leads, and all of them. */
  move(type: 'movement.paired' | 'movement.parted', ...movements: readonly Movement[]): void {
    for (const { lead, reports, because = { by: 'person' }, type: own = type } of movements) {
      for (const id of reports) {
        const concerned = new Set([...(this.#movements.get(id) ?? []), ...reports]);
        this.#others = [...concerned].filter((other) => other !== id);
        this.#movements.set(id, reports);
        const data = { reports: [...reports].sort(), lead, ...because };
        const actor = because.by === 'rule' ? 'engine' : undefined;
        const { seq } = this.act(own, id, data, actor);
        Object.assign(this.#row(this.events, id), { activity_seq: seq });
      }
    }
  }

  /** The reports of the movement of an event. */
  reportsOf(id: string): readonly string[] {
    return this.#movements.get(id) ?? [id];
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
    const { created_by = null } = row;
    const inherited = Object.fromEntries(
      ['notes', 'score', 'reviewed_by', 'reviewed_at'].flatMap((name) =>
        row[name] == null ? [] : [[name, row[name]]],
      ),
    );
    const data = {
      ...{ ...made, attribution_method, status, supersedes: former, created_by },
      ...inherited,
    };
    const id = this.id('lnk');
    const { seq } = this.act('link.created', id, data, 'connector');
    this.links.set(id, {
      ...{ ...row, id, financial_event_id, created_at: this.time() },
      ...{ deleted_at: null, activity_seq: seq },
    });
    return id;
  }

  /** A link of a reversal that is taken from its payment. */
  inheritLink(decision_id: string, financial_event_id: string, extra: Json): string {
    const id = this.id('lnk');
    const made = {
      ...{ decision_id, financial_event_id, correlation_strength: 0.5, link_type: 'refund' },
      ...{ status: 'INHERITED', label: 'confirmed', ...extra },
    };
    const { seq } = this.act('link.inherited', id, made, 'engine');
    const { label: _stated, ...row } = made;
    this.#link(id, { ...row, attribution_method: 'inherited' }, 'engine', seq);
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

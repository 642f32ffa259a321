import type { FindingKind } from '@decision-ledger/proof/chain';

/** The first finding that a verification must report. */
export interface Found {
  readonly seq: number;
  readonly kind: FindingKind;
  readonly detail?: string;
}

/** An edit made directly in the database by its owner. */
export interface Tampering {
  readonly name: string;
  readonly sql: string;
  /** Null if nothing inside the ledger can reveal it. */
  readonly found: Found | null;
  /** The finding for a caller who kept the receipt of the last record. */
  readonly anchored?: Found;
}

export type Chain = 'decisions' | 'activity';

/** The ledger that is tampered with, and an empty one of the same organisation: UUIDs. */
export interface Ledgers {
  readonly ledger: string;
  readonly other: string;
}

/** Cases are defined before there is a ledger, with these in its place. */
export const PLACEHOLDERS: Ledgers = { ledger: ':ledger', other: ':other' };

export function statementsOf({ sql }: Tampering, { ledger, other }: Ledgers): string {
  return sql.replaceAll(PLACEHOLDERS.ledger, ledger).replaceAll(PLACEHOLDERS.other, other);
}

/** Each chain has ten records; the fifth is the victim, the last is the anchor. */
export const LAST = 10;
const VICTIM = 5;
/** The record of the activity chain that states a time. */
export const DATED = 8;
const LONG_AGO = '2001-01-01T00:00:00.000Z';

export type ColumnCases = Readonly<Record<string, readonly Tampering[]>>;

export function decisionColumnCases({ ledger, other }: Ledgers): ColumnCases {
  const { edit, column } = editor('decisions', ledger);
  return {
    ...sharedColumnCases('decisions', { ledger, other }),
    decision_id: [column('decision_id', "'00000000-0000-7000-8000-000000000001'")],
    agent_id: [column('agent_id', "'somebody else'"), column('agent_id', "agent_id || ' '")],
    action_type: [column('action_type', "'refuse'")],
    confidence: [column('confidence', '0.99'), column('confidence', 'confidence + 1e-16')],
    human_in_loop: [column('human_in_loop', 'not human_in_loop')],
    timestamp: [column('timestamp', `"timestamp" + interval '1 ms'`)],
    inputs: disclosureCases(edit, 'inputs'),
    outputs: disclosureCases(edit, 'outputs'),
    alternatives: [
      ...disclosureCases(edit, 'alternatives'),
      edit(
        'alternatives given to a decision that had none',
        `alternatives = (select alternatives from decisions where ${at(ledger, VICTIM)})`,
        { seq: VICTIM + 1, kind: 'commitment', detail: 'alternatives' },
        VICTIM + 1,
      ),
    ],
    metadata: disclosureCases(edit, 'metadata'),
    terms: [column('terms', "'{}'"), column('terms', 'terms || 1')],
  };
}

export function activityColumnCases({ ledger, other }: Ledgers): ColumnCases {
  const { edit, column } = editor('activity', ledger);
  return {
    ...sharedColumnCases('activity', { ledger, other }),
    activity_id: [column('activity_id', "'00000000-0000-7000-8000-000000000001'")],
    type: [column('type', "'key.revoked'")],
    actor: [column('actor', "'operator'")],
    subject: [column('subject', "'key_00000000000000000000000000'")],
    data: disclosureCases(edit, 'data'),
    when: whenCases(edit),
  };
}

/** The columns that both tables have. */
function sharedColumnCases(chain: Chain, { ledger, other }: Ledgers): ColumnCases {
  const { edit, column } = editor(chain, ledger);
  const gap = { seq: VICTIM, kind: 'gap' } as const;
  const content = { seq: VICTIM, kind: 'content' } as const;
  const mismatch = { seq: VICTIM, kind: 'column' } as const;
  const edited = `entry = ${longAgo('entry')}, hash = ${hashOf(longAgo('entry'))}`;
  return {
    ledger_id: [edit('a record moved to another ledger', `ledger_id = '${other}'`, gap)],
    seq: [edit('a record moved beyond the head', 'seq = 99', gap)],
    epoch: [column('epoch', '2')],
    created_at: [column('created_at', `created_at - interval '1 ms'`)],
    entry: [
      edit('an edited entry', `entry = replace(entry, '"epoch":1', '"epoch":2')`, content),
      edit('an entry with a space at its end', "entry = entry || ' '", content),
      edit('an entry edited and hashed again', edited, { ...mismatch, detail: 'created_at' }),
      edit('a record fully edited and hashed again', `${edited}, created_at = '${LONG_AGO}'`, {
        seq: VICTIM + 1,
        kind: 'link',
      }),
      edit('an entry that is not one', `entry = '{}', hash = ${hashOf("'{}'")}`, content),
    ],
    hash: [edit('an edited hash', 'hash = sha256(hash)', content)],
    prev_hash: [
      edit('an edited prev_hash', 'prev_hash = sha256(prev_hash)', { seq: VICTIM, kind: 'link' }),
    ],
  };
}

/** Rows deleted, added or swapped, and the rows that hold the start and end of the chain. */
export function rowCases(chain: Chain, { ledger }: Ledgers): Tampering[] {
  return [...missingRowCases(chain, ledger), ...foreignRowCases(chain, ledger)];
}

function missingRowCases(chain: Chain, ledger: string): Tampering[] {
  const remove = (name: string, where: string, found: Found): Tampering => ({
    ...{ name, found },
    sql: `delete from ${chain} where ledger_id = '${ledger}' and ${where}`,
  });
  const cut = LAST - 2;
  return [
    remove('a deleted record', `seq = ${VICTIM}`, { seq: VICTIM, kind: 'gap' }),
    remove('the first record deleted', 'seq = 1', { seq: 1, kind: 'gap' }),
    remove('the last record deleted', `seq = ${LAST}`, { seq: LAST, kind: 'head' }),
    remove('a tail cut off', `seq >= ${cut}`, { seq: cut, kind: 'head' }),
    remove('every record deleted', 'true', { seq: 1, kind: 'head' }),
    {
      name: 'a tail cut off together with the head',
      sql: `delete from ${chain} where ledger_id = '${ledger}' and seq >= ${cut};
        update chain_heads h set seq = r.seq, hash = r.hash, created_at = r.created_at
        from ${chain} r where ${at(ledger, cut - 1, 'r.')} and ${ofHead(chain, ledger, 'h.')}`,
      found: null,
      anchored: { seq: cut, kind: 'head' },
    },
  ];
}

function foreignRowCases(chain: Chain, ledger: string): Tampering[] {
  const swapped = (name: string, columns: readonly string[], found: Found): Tampering => ({
    ...{ name, found },
    sql: `update ${chain} a set (${columns.join()}) = (select ${columns.join()} from ${chain} b
      where b.ledger_id = a.ledger_id and b.seq = ${2 * VICTIM + 1} - a.seq)
      where ledger_id = '${ledger}' and seq in (${VICTIM}, ${VICTIM + 1})`,
  });
  const payload =
    chain === 'decisions' ? ['inputs', 'outputs', 'alternatives', 'metadata'] : ['data'];
  const id = chain === 'decisions' ? 'decision_id' : 'activity_id';
  return [
    swapped('the payloads of two records swapped', payload, {
      seq: VICTIM,
      kind: 'commitment',
      detail: payload[0] ?? '',
    }),
    {
      name: 'two swapped records',
      sql: `update ${chain} set seq = 99 where ${at(ledger, VICTIM)};
        update ${chain} set seq = ${VICTIM} where ${at(ledger, VICTIM + 1)};
        update ${chain} set seq = ${VICTIM + 1} where ${at(ledger, 99)}`,
      found: { seq: VICTIM, kind: 'link' },
    },
    {
      name: 'a copy of a record beyond the head, with another id',
      sql: copied(chain, ledger, id),
      found: { seq: LAST + 1, kind: 'head' },
    },
    {
      name: 'a copy of a record after the last one, and a head that names it',
      sql: `${copied(chain, ledger, id)};
        update chain_heads set seq = ${LAST + 1}, hash = (select hash from ${chain}
          where ${at(ledger, VICTIM)}) where ${ofHead(chain, ledger)}`,
      found: { seq: LAST + 1, kind: 'column', detail: 'seq' },
    },
    {
      name: 'a well-formed forgery beyond the head',
      sql: `${copied(chain, ledger, id)}; ${rewritten(chain, ledger, LAST + 1)}`,
      found: { seq: LAST + 1, kind: 'head' },
    },
    {
      name: 'a well-formed second record after the same predecessor, and a head that names it',
      sql: `${copied(chain, ledger, id)}; ${rewritten(chain, ledger, LAST + 1, VICTIM - 1)};
        update chain_heads h set seq = r.seq, hash = r.hash, created_at = r.created_at
        from ${chain} r where ${at(ledger, LAST + 1, 'r.')} and ${ofHead(chain, ledger, 'h.')}`,
      found: { seq: LAST + 1, kind: 'link' },
    },
    {
      name: 'the chain written again from one record on, with its head',
      sql: `update ${chain} set entry = ${longAgo('entry')}, created_at = '${LONG_AGO}'
        where ${at(ledger, VICTIM)}; ${rewritten(chain, ledger, VICTIM)};
        update chain_heads set hash = (select hash from ${chain} where ${at(ledger, LAST)})
        where ${ofHead(chain, ledger)}`,
      found: null,
      anchored: { seq: LAST, kind: 'head' },
    },
  ];
}

/** Cases for each column of chain_heads that describes the chain. */
export function headCases(chain: Chain, { ledger }: Ledgers): Tampering[] {
  const head = (name: string, set: string, found: Found): Tampering => ({
    ...{ name, found },
    sql: `update chain_heads set ${set} where ${ofHead(chain, ledger)}`,
  });
  const before = `(select hash from ${chain} where ${at(ledger, LAST - 1)})`;
  const end = { seq: LAST, kind: 'head' } as const;
  return [
    head('a head moved forward', 'seq = seq + 1', { seq: LAST + 1, kind: 'head' }),
    head('a head moved back', 'seq = seq - 1', { seq: LAST - 1, kind: 'head' }),
    head('a head moved back to the record before', `seq = seq - 1, hash = ${before}`, end),
    head('another hash at the head', 'hash = sha256(hash)', end),
    head('another epoch at the head', 'epoch = 2', { seq: 0, kind: 'head', detail: 'epoch' }),
    head('another time at the head', "created_at = created_at + interval '1 day'", {
      ...{ seq: LAST, kind: 'head', detail: 'created_at' },
    }),
    {
      name: 'a removed head',
      sql: `delete from chain_heads where ${ofHead(chain, ledger)}`,
      found: { seq: 0, kind: 'head' },
    },
  ];
}

export function genesisCases(chain: Chain, { ledger }: Ledgers): Tampering[] {
  const genesis = (name: string, set: string, found: Found): Tampering => ({
    ...{ name, found },
    sql: `update chains set ${set} where ${ofHead(chain, ledger)}`,
  });
  const content = { seq: 0, kind: 'content' } as const;
  const dated = longAgo('genesis');
  const renamed = `replace(genesis, '"mode":"live"', '"mode":"test"')`;
  return [
    genesis('an edited genesis', `genesis = ${dated}`, content),
    genesis('another epoch beside the genesis', 'epoch = 2', {
      ...{ seq: 0, kind: 'head', detail: 'epoch' },
    }),
    {
      name: 'a removed genesis',
      sql: `delete from chains where ${ofHead(chain, ledger)}`,
      found: { seq: 0, kind: 'head' },
    },
    genesis('another genesis hash', 'genesis_hash = sha256(genesis_hash)', content),
    genesis(
      'a genesis edited and hashed again',
      `genesis = ${dated}, genesis_hash = ${hashOf(dated)}`,
      { seq: 1, kind: 'link' },
    ),
    genesis(
      'the genesis of another ledger',
      `genesis = ${renamed}, genesis_hash = ${hashOf(renamed)}`,
      { ...content, detail: 'genesis' },
    ),
  ];
}

function editor(chain: Chain, ledger: string) {
  const edit = (name: string, set: string, found: Found, seq = VICTIM): Tampering => ({
    ...{ name, found },
    sql: `update ${chain} set ${set} where ${at(ledger, seq)}`,
  });
  const column = (name: string, value: string): Tampering =>
    edit(`${name} set to ${value}`, `"${name}" = ${value}`, {
      seq: VICTIM,
      kind: 'column',
      detail: name,
    });
  return { edit, column };
}

function disclosureCases(edit: ReturnType<typeof editor>['edit'], field: string): Tampering[] {
  const found = { seq: VICTIM, kind: 'commitment', detail: field } as const;
  return [
    edit(`a value in ${field} edited`, `${field} = replace(${field}, 'truth', 'lie')`, found),
    edit(
      `the salt of ${field} edited`,
      `${field} = overlay(${field} placing 'AAAA' from 3)`,
      found,
    ),
    edit(`${field} removed without a record of erasure`, `${field} = null`, found),
    edit(`${field} emptied`, `${field} = ''`, found),
    edit(`${field} with a space`, `${field} = replace(${field}, 'truth', 'truth ')`, found),
  ];
}

/** Of a record about an event, which states its time. */
function whenCases(edit: ReturnType<typeof editor>['edit']): Tampering[] {
  const found = { seq: DATED, kind: 'commitment', detail: 'when' } as const;
  const edits = [
    ['the time of an event edited', `"when" = replace("when", '2026-04-02', '2026-05-02')`],
    ['the salt of a time edited', `"when" = overlay("when" placing 'AAAA' from 3)`],
    ['a time removed', '"when" = null'],
    ['a time emptied', `"when" = ''`],
    ['a time with a space', `"when" = "when" || ' '`],
  ] as const;
  return [
    ...edits.map(([name, set]) => edit(name, set, found, DATED)),
    edit(
      'a time given to a record that had none',
      `"when" = (select b."when" from activity b where b.ledger_id = activity.ledger_id
        and b.seq = ${DATED})`,
      { ...found, seq: VICTIM },
    ),
  ];
}

/** The text of an entry with another created_at. */
function longAgo(text: string): string {
  return `regexp_replace(${text}, '"created_at":"[^"]*"', '"created_at":"${LONG_AGO}"')`;
}

function hashOf(text: string): string {
  return `sha256('\\x00'::bytea || convert_to(${text}, 'UTF8'))`;
}

function at(ledger: string, seq: number, prefix = ''): string {
  return `${prefix}ledger_id = '${ledger}' and ${prefix}seq = ${seq}`;
}

function ofHead(chain: Chain, ledger: string, prefix = ''): string {
  return `${prefix}ledger_id = '${ledger}' and ${prefix}chain = '${chain}'`;
}

/** The victim copied after the last record, under a new id. */
function copied(chain: Chain, ledger: string, id: string): string {
  return `create temporary table copy as select * from ${chain} where ${at(ledger, VICTIM)};
    update copy set seq = ${LAST + 1}, ${id} = '00000000-0000-7000-8000-000000000001',
      prev_hash = (select hash from ${chain} where ${at(ledger, LAST)});
    insert into ${chain} select * from copy; drop table copy`;
}

/**
 * Rewrites entries and hashes from one position to the end so that each follows from the last.
 * @param after the position that the first of them follows
 */
function rewritten(chain: Chain, ledger: string, from: number, after = from - 1): string {
  return `do $$ declare r record; before bytea; begin
    select hash into before from ${chain} where ${at(ledger, after)};
    for r in select seq, entry from ${chain} where ledger_id = '${ledger}' and seq >= ${from}
      order by seq
    loop
      r.entry := regexp_replace(regexp_replace(r.entry,
        '"prev_hash":"[^"]*"', '"prev_hash":"' || encode(before, 'hex') || '"'),
        '"seq":[0-9]+', '"seq":' || r.seq);
      update ${chain} set entry = r.entry, prev_hash = before, hash = ${hashOf('r.entry')}
        where ledger_id = '${ledger}' and seq = r.seq;
      select hash into before from ${chain} where ledger_id = '${ledger}' and seq = r.seq;
    end loop;
  end $$`;
}

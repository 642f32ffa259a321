import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import { type Draft, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftOf, requestExport } from './support/draft.js';
import { editLines, editManifest, editRows } from './support/edit.js';
import { erasedStory, fullStory } from './support/samples.js';
import { type Json, type Row, Story } from './support/story.js';

const IN = '2026-01-06T00:00:00.000Z';
const OUT = '2026-06-06T00:00:00.000Z';

function money(timestamp = IN, amount = '10.00'): Json {
  return { source: 'billing', event_type: 'refund', amount, currency: 'USD', timestamp };
}

const report = async (draft: Draft) => check(await pack(draft));

/** Changes the record with this id in a file. */
function editRow(draft: Draft, name: string, id: string, change: Json): Draft {
  return editRows(draft, name, (rows) =>
    rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
  );
}

/** The manifest claims that the export began before anything happened. */
const fromNothing = (draft: Draft) => editManifest(draft, { 'activity.since': 0 });

describe('Manifest with an export start that is too early', () => {
  test('Events and links cannot be left out by claiming an earlier start', async () => {
    const draft = fromNothing(draftOf(fullStory()));
    editRows(draft, 'events.json', () => []);
    editRows(draft, 'links.json', () => []);
    const found = codes(await report(draft), 'completeness');
    expect(new Set(found)).toEqual(new Set(['event_missing', 'link_missing']));
    expect(found).toHaveLength(3 + 5);
  });

  test('An event cannot be left out by withholding only its recording', async () => {
    const draft = fromNothing(draftOf(fullStory()));
    editRows(draft, 'events.json', (rows) => rows.slice(1));
    editLines(draft, 'activity.ndjson', (lines) =>
      lines.filter((line) => !(line.startsWith('[') && line.includes('"amount":"19.90"'))),
    );
    expect(codes(await report(draft), 'completeness')).toContain('event_missing');
  });

  test('A deleted event cannot be shown as current by claiming an earlier start', async () => {
    const story = fullStory();
    const before = draftOf(story).files.get('events.json');
    const event = [...story.events].find(([, { deleted_at }]) => deleted_at === null)?.[0] ?? '';
    story.deleteEvent(event);
    const draft = draftOf(story);
    draft.files.set('events.json', before ?? Buffer.from(''));
    const found = await report(fromNothing(draft));
    expect(codes(found, 'integrity')).toContain('activity_unrecorded');
    expect(outcomes(found)).toMatch(/^fail/);
  });

  test('An erased value cannot be kept by claiming an earlier start', async () => {
    for (const since of [0, undefined]) {
      const story = fullStory();
      const id = String(story.decisions[2]?.row.decision_id);
      story.act('decision.field_erased', id, { fields: ['outputs'], reason: 'x' });
      const draft = draftOf(story);
      const told = since === undefined ? draft : fromNothing(draft);
      expect(codes(await report(told), 'integrity')).toContain('erasure_ignored');
    }
    expect(outcomes(await report(draftOf(erasedStory())))).toBe('pass consistent pass consistent');
  });
});

test('A record as it was before a later change is reported and counted', async () => {
  const story = fullStory();
  const request = requestExport(story);
  const before = draftOf(story, { request });
  const standing = [...story.events].filter(([, { deleted_at }]) => deleted_at === null);
  for (const [id] of standing) story.deleteEvent(id);
  const draft = draftOf(story, { request });
  draft.files.set('events.json', before.files.get('events.json') ?? Buffer.from(''));
  const found = await report(draft);
  expect(outcomes(found)).toBe('pass consistent pass consistent');
  expect(found.verdicts.integrity.sentence).toContain('1 event or link is shown as it was');
  expect((await report(before)).verdicts.integrity.sentence).not.toContain('shown as');
});

describe('Histories without a creation', () => {
  const bare = (): Story => {
    const story = new Story();
    story.decide();
    return story;
  };

  test('An event whose creation is missing is unproven', async () => {
    const story = bare();
    const id = story.id('evt');
    const { seq } = story.act('financial_event.deleted', id);
    const at = { created_at: story.time(), deleted_at: story.time() };
    story.events.set(id, { id, ...money(), ...at, activity_seq: seq });
    expect(codes(await report(draftOf(story)), 'integrity')).toEqual(['activity_unrecorded']);
  });

  test('A link whose creation is missing is unproven', async () => {
    const story = bare();
    const id = story.id('lnk');
    const decision_id = String(story.decisions[0]?.row.decision_id);
    const reviewed = { decision_id, financial_event_id: 'evt_x', status: 'ML_INFERRED' };
    const reviewed_by = 'key_00000000000000000000000001';
    const { seq } = story.act('link.confirmed', id, reviewed, reviewed_by);
    const at = { created_at: IN, reviewed_at: story.time(), deleted_at: null };
    story.links.set(id, {
      ...{ id, ...reviewed, correlation_strength: 1, link_type: 'loss', created_by: 'key_x' },
      ...{ attribution_method: 'manual', reviewed_by, ...at, activity_seq: seq },
    });
    expect(codes(await report(draftOf(story)), 'integrity')).toEqual(['activity_unrecorded']);
  });
});

describe('Carried links', () => {
  /** Confirmed on an event, then carried over twice. The first event may be outside the range. */
  function carried({ first = IN, decision }: { first?: string; decision?: string } = {}) {
    const story = new Story();
    const { decision_id } = story.decide({
      ...(decision !== undefined && { timestamp: decision }),
    });
    const events = [first, IN, IN].map((timestamp) => story.recordEvent(money(timestamp)));
    const [from = '', between = '', to = ''] = events;
    const suggested = story.suggestLink(String(decision_id), from, 0.5);
    story.reviewLink(suggested, 'confirmed');
    const link = story.carryLink(story.carryLink(suggested, between), to);
    const made = story.createLink(String(decision_id), from, {
      notes: 'by hand',
      link_type: 'cost',
    });
    const manual = story.carryLink(made, to);
    return { story, link, manual };
  }

  test('A carried link passes with the members it inherited', async () => {
    const { story, link, manual } = carried();
    const found = await report(draftOf(story));
    expect(story.links.get(link)).toMatchObject({ created_by: 'engine', status: 'ML_INFERRED' });
    expect(story.links.get(manual)).toMatchObject({ notes: 'by hand' });
    expect(outcomes(found)).toBe('pass consistent pass consistent');
  });

  test.each<[string, Json]>([
    ['reviewed_by', { reviewed_by: 'key_invented' }],
    ['reviewed_at', { reviewed_at: '2026-01-05T08:00:00.000Z' }],
    ['notes', { notes: 'invented' }],
    ['score', { score: { version: '1', probability: 1 } }],
    ['created_by', { created_by: 'key_invented' }],
  ])('A carried link whose %s was changed fails', async (name, change) => {
    const { story, link } = carried();
    const found = await report(editRow(draftOf(story), 'links.json', link, change));
    expect(codes(found, 'integrity')).toEqual(['activity_differs']);
    expect(found.verdicts.integrity.findings[0]?.message).toContain(name);
  });

  test('A carried link is proven by its own record if the activity of its predecessor is withheld', async () => {
    const { story } = carried({ first: OUT, decision: '2025-12-31T23:59:59.999Z' });
    const found = await report(draftOf(story));
    expect(outcomes(found)).toBe('pass consistent pass consistent');
  });

  test('A carried link with an invented predecessor and members fails', async () => {
    const story = new Story();
    const { decision_id } = story.decide();
    const event = story.recordEvent(money());
    const data: Json = { supersedes: 'lnk_00000000000000000000000000' };
    const id = story.createLink(String(decision_id), event, data);
    const { supersedes: _, ...row }: Row = story.links.get(id) ?? {};
    story.links.set(id, row);
    const draft = editRow(draftOf(story), 'links.json', id, { notes: 'invented' });
    expect(codes(await report(draft), 'integrity')).toContain('activity_differs');
  });
});

test('A record that occurs many times is replayed once', async () => {
  const story = new Story();
  const { decision_id } = story.decide();
  const event = story.recordEvent(money());
  const link = story.suggestLink(String(decision_id), event, 0.5);
  for (let i = 0; i < 3000; i++) story.suggestLink(String(decision_id), event, 0.6, link);
  const draft = draftOf(story);
  editRows(draft, 'links.json', (rows) => Array<Row[]>(3000).fill(rows).flat());
  let omitted = 0;
  const spent = await cpuMs(async () => {
    ({ omitted } = (await report(draft)).verdicts.integrity);
  });
  expect(spent).toBeLessThan(10_000);
  expect(omitted).toBeGreaterThan(1000);
});

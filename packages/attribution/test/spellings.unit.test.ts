import { extractFeatures } from '@decision-ledger/attribution/extraction';
import { learnSnapshot } from '@decision-ledger/attribution/learning';
import { scoreEvent } from '@decision-ledger/attribution/score';
import type { EventObservation, ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import { isGroupedIdentifier, withAsciiDigits } from '#attribution/identifiers';
import { numbersWithYear, withoutCheckDigit } from '#attribution/spellings';
import { cpuMs } from '../../proof/test/support/cpu-time.js';
import { frequenciesOf, priorSnapshot, toDecision, toEvent } from './support/choices.js';

/** The identifiers that both payloads state, in any spelling. */
function shared(one: JsonValue, other: JsonValue): string[] {
  const idsOf = (metadata: JsonValue) =>
    extractFeatures({ metadata })
      .mentions.filter(({ form }) => form !== 'word')
      .map(({ canonical }) => canonical);
  const own = new Set(idsOf(one));
  return [...new Set(idsOf(other))].filter((id) => own.has(id));
}

describe('Digits of other scripts', () => {
  it.for([
    ['٤٨٢٩١٣', '482913'],
    ['۴۸۲۹۱۳', '482913'],
    ['४८२९१३', '482913'],
    ['４８２９１３', '482913'],
    ['၄၈၂၉၁၃', '482913'],
    ['\u{1d7ec}\u{1d7f5}', '09'],
    ['١٢٫٣٤', '12.34'],
    ['Ⅳ ¾ ②', 'Ⅳ ¾ ②'],
    ['ORD-1', 'ORD-1'],
  ])('%s are read as %s', ([text = '', expected]) => {
    expect(withAsciiDigits(text)).toBe(expected);
  });

  it('Make the same identifier, under a key and in a text', () => {
    expect(shared({ order: 'ORD-48213' }, { طلب: 'ORD-٤٨٢١٣' })).toEqual(['ord48213']);
    expect(shared({ order: 'ORD-48213' }, { note: 'आदेश ORD-४८२१३ वापस' })).toEqual(['ord48213']);
  });

  it('Make the same amount', () => {
    const { amounts } = extractFeatures({ outputs: { amount: '١٬٢٣٤٫٥٠' } });
    expect(amounts.map(({ value }) => value)).toEqual([1234.5]);
  });
});

describe('Identifiers in groups', () => {
  it.for(['SO 7003 114', '4829 1316', 'RE 2026 00917', 'PX1 2233 44', 'K 482 913', 'SO# 7003114'])(
    '%s is one, whatever its key',
    (text) => {
      expect(isGroupedIdentifier(text)).toBe(true);
      const joined = text.replace(/[^A-Z0-9]/g, '');
      expect(shared({ vorgang: text }, { zzz: joined })).toHaveLength(1);
    },
  );

  it.for([
    ['a telephone number', '0171 234 5678'],
    ['one from abroad', '+49 171 2345678'],
    ['one of ten figures', '212 555 0123'],
    ['a date', '28 11 2026'],
    ['a date with a month', 'NOV 28 2026'],
    ['a time', '22 30 15'],
    ['a price', '1 234 567,00'],
    ['an amount', 'EUR 12345'],
    ['an amount in groups', '12 345 678'],
    ['a version', 'V 1.2.3 45678'],
    ['a week', 'KW 48 2026'],
    ['a town', 'Bonn 53111'],
    ['a post code', 'NY 10001'],
    ['a sentence', 'Call 48213 back'],
  ])('%s is none: %s', ([, text = '']) => {
    expect(isGroupedIdentifier(text)).toBe(false);
    const { mentions } = extractFeatures({ metadata: { zzz: text } });
    expect(mentions.filter(({ form }) => form === 'key')).toEqual([]);
  });
});

describe('Numbers with a year', () => {
  it.for([
    ['INV-26-00917', ['26y917']],
    ['26/00917', ['26y917']],
    ['917/2026', ['26y917']],
    ['Schaden-Nr. 0001941/26 und 26_777', ['26y1941', '26y777']],
    ['2026-1128-7, 1.2.345, 26.917, 30.12-345', []],
    ['2026-11-28', []],
    ['11/2026', []],
    ['2025-2026', []],
    ['2026-1204', ['26y1204']],
    ['089-2600917', []],
    ['100-200', []],
    ['917', []],
    ['a26-917b', []],
  ] as const)('%s has %j', ([text, expected]) => {
    expect(numbersWithYear(text).map(({ canonical }) => canonical)).toEqual(expected);
  });

  it.for<[JsonValue, JsonValue]>([
    [{ invoice: 'INV-26-00917' }, { zweck: 'Rg 26/00917 danke' }],
    [{ schaden: '1941-26' }, { zweck: 'Schaden-Nr. 0001941/26' }],
    [{ note: 'Claim 917/26 settled' }, { ref: 'CL 2026 0917' }],
  ])('%j and %j share one', ([one, other]) => {
    expect(shared(one, other)).toHaveLength(1);
  });

  it.for<[JsonValue, JsonValue]>([
    [{ invoice: 'INV-26-00917' }, { zweck: 'Rg 917' }],
    [{ invoice: 'INV-26-00917' }, { zweck: 'Rg 00917 vom 11.2026' }],
    [{ invoice: 'INV-26-00917' }, { ref: '25/00917' }],
    [{ invoice: 'INV-26-00917' }, { price: '26.917' }],
  ])('%j and %j share none', ([one, other]) => {
    expect(shared(one, other)).toEqual([]);
  });

  it('Are found in little time', async () => {
    const texts = ['26/00917 ', '1/', '12-', '26-', '99999', '2026/'].map((part) =>
      part.repeat(200_000),
    );
    const features = () => texts.map((text) => extractFeatures({ inputs: { text } }));
    expect(await cpuMs(features)).toBeLessThan(2000);
  });
});

describe('A check digit', () => {
  it.for([
    ['48291317', '4829131'],
    ['ord482137', 'ord48213'],
    ['r482137', null],
    ['482137', null],
    ['ord4821', null],
    ['ab12cd34567', null],
  ])('%s is %s without it', ([text, expected]) => {
    expect(withoutCheckDigit(text ?? '')).toBe(expected);
  });

  const EVENT = toEvent({ reference: 'ORD-482137' });
  const opened = toDecision({ id: 'opened', inputs: { order: 'ORD-48213' } });
  const named = toDecision({ id: 'named', inputs: { order: 'ORD-482137' } });
  const scoreOf = (decisions: readonly (typeof opened)[], snapshot: ModelSnapshot) =>
    scoreEvent(EVENT, decisions, frequenciesOf(decisions), snapshot, 1);
  const evidenceOf = (decisions: readonly (typeof opened)[], snapshot: ModelSnapshot) =>
    scoreOf(decisions, snapshot).candidates.find(({ decisionId }) => decisionId === 'opened')
      ?.features.identifier_text ?? 0;

  /** A model of a ledger where so many events stated an order so. @param values how many different ones */
  function taught(events: number, values: number): ModelSnapshot {
    const { observation } = scoreOf([opened], priorSnapshot());
    const observations = Array.from({ length: events }, (_, at): EventObservation => {
      const keys = observation.keys.map(
        ([key, holders, value]) => [key, holders, value + (at % values)] as const,
      );
      return { ...observation, keys };
    });
    const settings = DEFAULT_ATTRIBUTION;
    return learnSnapshot({ settings, choices: [], observations, today: 20_000 });
  }

  it('Counts once five events of the ledger had one', () => {
    expect(evidenceOf([opened], priorSnapshot())).toBe(0);
    expect(evidenceOf([opened], taught(4, 4))).toBe(0);
    expect(evidenceOf([opened], taught(5, 5))).toBeGreaterThan(5);
  });

  it('Is none where many numbers differ in the last figure alone', () => {
    expect(evidenceOf([opened], taught(40, 5))).toBe(0);
  });

  it('Counts for nothing beside a decision that names the whole', () => {
    expect(evidenceOf([opened, named], taught(9, 9))).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import {
  observationText,
  openObservation,
} from '#server/domains/judgement/attribution/stored-choice';
import { openModel, snapshotText } from '#server/domains/judgement/attribution/stored-model';
import { priorSnapshot } from '../../../../attribution/test/support/choices.js';

const OBSERVED = { event_type: 'paid', keys: [], identified: null, options: [] };

describe('A stored observation', () => {
  it.for([null, 0, -2.125])('Is read as it was written, with %s for what it shares', (sharing) => {
    const observation = { ...OBSERVED, sharing, transaction: 0.5 };
    expect(openObservation(observationText(observation))).toEqual(observation);
  });
});

describe('A stored model', () => {
  const LAGS = { mean: 0, sd: 1, count: 0 };
  const type = {
    ...{ event_type: 'paid', log_odds: -1.5, log_odds_apart: -3, causeless: 0.2, lags: LAGS },
    kind: { key: 7, values: [{ value: 8, log_odds: 1, log_odds_apart: 0.5, causeless: 0 }] },
  };
  const text = snapshotText({ ...priorSnapshot(), events: [type] });
  const open = (snapshot: string) => openModel({ model_id: 3, snapshot }).snapshot.events;

  it('Is read as it was written', () => {
    expect(open(text)).toEqual([type]);
  });
});

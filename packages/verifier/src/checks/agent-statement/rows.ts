import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { Decimal } from './decimal.js';
import {
  LABELS,
  type Label,
  LINK_TYPES,
  type LinkType,
  optDecimal,
  readDecimal,
} from './document.js';

/** A decision that a row names. */
export interface NamedDecision {
  readonly decisionId: string;
  readonly seq: number;
  readonly hash: string;
}

/** The part of an event that a link takes. */
export interface MoneyRow extends NamedDecision {
  readonly eventId: string;
  readonly linkId: string;
  readonly timestamp: string;
  readonly currency: string;
  readonly eventAmount: Decimal;
  readonly counted: Decimal;
  readonly linkType: LinkType;
  readonly label: Label;
  readonly share: Decimal;
  readonly amount: Decimal;
  readonly rate: Decimal | null;
  readonly converted: Decimal | null;
}

/** A decision with its estimate. */
export interface EstimateRow extends NamedDecision {
  readonly timestamp: string;
  readonly actionType: string;
  readonly exposure: Decimal | null;
  readonly realised: Decimal | null;
}

/** @throws ShapeError */
export function readMoneyRow(row: Shape): MoneyRow {
  const read = {
    eventId: row.text('financial_event_id'),
    linkId: row.text('link_id'),
    timestamp: row.time('timestamp'),
    currency: row.text('currency'),
    eventAmount: readDecimal(row, 'event_amount'),
    counted: readDecimal(row, 'counted_amount'),
    linkType: row.oneOf('link_type', LINK_TYPES),
    label: row.oneOf('label', LABELS),
    share: readDecimal(row, 'share'),
    amount: readDecimal(row, 'amount'),
    rate: optDecimal(row, 'rate'),
    converted: optDecimal(row, 'converted_amount'),
    ...readNamed(row),
  };
  row.opt('rate');
  row.opt('converted_amount');
  row.done();
  return read;
}

/** @throws ShapeError */
export function readEstimateRow(row: Shape): EstimateRow {
  const read = {
    timestamp: row.time('timestamp'),
    actionType: row.text('action_type'),
    exposure: optDecimal(row, 'exposure'),
    realised: optDecimal(row, 'realised'),
    ...readNamed(row),
  };
  // The interval of a single decision is part of no sum.
  optDecimal(row, 'low');
  optDecimal(row, 'high');
  row.done();
  return read;
}

function readNamed(row: Shape): NamedDecision {
  return {
    decisionId: row.text('decision_id'),
    seq: row.count('seq'),
    hash: row.hash('hash'),
  };
}

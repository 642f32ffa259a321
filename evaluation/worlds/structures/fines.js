// Road fines: one case number over months, from the fine to its collection.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, officeTime } from '../time.js';

const POSTAGE = 1350;
const FINES = [2200, 3100, 3600, 7000, 13100];

export const fines = { stories: { officerFine, fine } };

function fine(context) {
  const { random } = context;
  const amount = random.pick(FINES);
  const one = { number: `A${digits(random, 5)}/${24 + random.below(2)}`, amount };
  const [step, pay] = stepsOf(context, one);
  const created = step('CF', officeTime(random, context.span), { importo: decimal(amount) });
  if (random.chance(0.35)) {
    pay({ type: 'Payment', amount, after: created, days: 8, of: created });
    return;
  }
  const sent = step('SF', created.time + days(random, 60), { spese: decimal(POSTAGE) });
  pay({ type: 'ExpenseOut', amount: -POSTAGE, after: sent, days: 2, of: sent });
  step('IFN', sent.time + days(random, 12), { notificata: true });
  if (random.chance(0.1)) {
    const appeal = step('APJ', sent.time + days(random, 20), { accolto: random.chance(0.4) });
    pay({ type: 'AppealCost', amount: -4300, after: appeal, days: 30, of: appeal });
  }
  const raised = Math.round(amount * 1.5) + POSTAGE;
  const penalty = step('AP', sent.time + days(random, 60), { totale: raised / 100 });
  if (random.chance(0.3)) step('VIS', penalty.time + days(random, 6), { esito: 'letto' });
  const end = random.next();
  if (end < 0.4) {
    const isSplit = random.chance(0.25);
    const first = isSplit ? Math.round(raised / 2) : raised;
    pay({ type: 'Payment', amount: first, after: penalty, days: 25, of: penalty });
    if (isSplit) {
      pay({ type: 'Payment', amount: raised - first, after: penalty, days: 70, of: penalty });
    }
  } else if (end < 0.75) {
    const collected = step('CC', penalty.time + days(random, 120), { ruolo: random.below(99) });
    if (random.chance(0.5)) {
      const total = Math.round(raised * 1.1);
      pay({ type: 'Payment', amount: total, after: collected, days: 90, of: collected });
    }
  }
}

/** Fined by an officer: no agent saw the case. */
function officerFine(context) {
  const { random, span } = context;
  const [, pay] = stepsOf(context, { number: `A${digits(random, 5)}/25`, amount: 0 });
  const created = { time: officeTime(random, span), ref: null };
  pay({ type: 'Payment', amount: random.pick(FINES), after: created, days: 8, of: created });
}

/** A step of the case, and a movement of money because of one. */
function stepsOf({ world, random }, { number, amount }) {
  const step = (action, time, outputs) => ({
    time,
    ref: world.decide({
      agent: `ufficio-${1 + random.below(3)}`,
      action,
      time,
      isHidden: random.chance(0.03),
      holds: [number],
      metadata: { ...runNoise(random), articolo: random.pick(['7', '142', '157']) },
      inputs: { pratica: number, importo_base: decimal(amount), punti: random.below(3) },
      outputs,
    }),
  });
  const pay = ({ type, amount: moved, after, days: late, of }) =>
    world.event({
      type,
      id: `mov-${digits(random, 9)}`,
      amount: moved,
      time: after.time + days(random, late) + HOUR,
      cause: of.ref,
      metadata: { ...sourceNoise(random), case_id: number },
      holds: [number],
    });
  return [step, pay];
}

const days = (random, median) => random.logNormal(median, 0.35) * DAY;

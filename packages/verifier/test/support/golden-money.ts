import { type Draft, pack } from './bundle.js';
import { draftAt, draftOf } from './draft.js';
import { disclose, editActivity, withhold } from './edit.js';
import { signRound, startLogs } from './logs.js';
import { type RefundLies, refundsStory } from './money.js';
import { movementsStory } from './samples.js';
import { statementStory } from './statement.js';
import { Story } from './story.js';

/** A bundle of `vectors/bundles`, how to make it, and what it is checked with. */
export interface Golden {
  readonly file: string;
  readonly about: string;
  readonly make: () => Promise<Buffer>;
  /** Name of the earlier bundle. */
  readonly previous?: string;
}

const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };
const paired = 'movement.paired';

/** A bundle of movements, with the ids of the charge and the booking that a rule paired, and of those that a person paired. */
function movements() {
  const story = new Story();
  const draft = draftOf(movementsStory(story), { range: JANUARY });
  const [charge = '', booking = '', sale = '', witness = ''] = story.events.keys();
  return { draft, charge, booking, sale, witness };
}

/** The data of a pairing are left out. */
function withheldPairing(): Draft {
  const { draft, booking } = movements();
  return editActivity(draft, (records) => {
    for (const record of records) {
      if (record.type === paired && record.subject === booking) record.data = null;
    }
  });
}

/** Two witnesses exchange what their pairings say. */
function movedPairing(): Draft {
  const { draft, booking, witness } = movements();
  return editActivity(draft, (records) => {
    const [one, other] = records.filter(
      ({ type, subject }) => type === paired && [booking, witness].includes(subject),
    );
    if (one === undefined || other === undefined) throw new Error('there are no two pairings');
    [one.data, other.data] = [other.data, one.data];
  });
}

/** The chain has a pairing by a rule that compared amounts which the events do not have. */
function forgedPairing(): Draft {
  const story = movementsStory();
  const at = { currency: 'USD', timestamp: '2026-01-25T12:00:00.000Z' };
  const sale = { event_type: 'sale', amount: '31.00', ...at };
  const charge = story.recordEvent({ ...sale, source: 'stripe' });
  const booking = story.recordEvent({ ...sale, source: 'accounting/main', amount: '13.00' });
  const compared = { amount: '31', currency: 'USD', seconds_apart: '0' };
  const of = (other: string) => ({
    ...{ by: 'rule', rule: 'repeated_in_books', with: other, compared },
  });
  const reports = [charge, booking];
  story.move(paired, { lead: charge, reports, because: of(booking) });
  return draftOf(story, { range: JANUARY });
}

/** The chain has a pairing that gives the witness of one movement to another one. */
function stolenWitness(): Draft {
  const story = new Story();
  movementsStory(story);
  const [charge = '', booking = '', sale = ''] = story.events.keys();
  story.move(paired, { lead: sale, reports: [sale, booking] });
  if (charge === '') throw new Error('there is no charge');
  return draftOf(story, { range: JANUARY });
}

const refunds = (lies: RefundLies = {}) => draftOf(refundsStory(lies).story, { range: JANUARY });

function withheldTaking(): Draft {
  const { story, link } = refundsStory();
  return withhold(draftOf(story, { range: JANUARY }), [link ?? '']);
}

/** A statement whose first event has a witness of the next month; the report that leads is named by the row, or is not. */
function statement(lead: 'row' | 'witness') {
  const story = new Story();
  startLogs(story);
  statementStory(story);
  const [sale = ''] = story.events.keys();
  const witness = story.recordEvent({
    ...{ source: 'accounting/main', event_type: 'sale', amount: '100.00', currency: 'USD' },
    timestamp: '2026-02-03T00:00:00.000Z',
  });
  const reports = [sale, witness];
  story.move(paired, { lead: lead === 'row' ? sale : witness, reports });
  const round = signRound(story);
  return {
    story,
    witness,
    draft: draftAt(story, round, { exportType: 'statement', range: JANUARY }),
  };
}

const disclosed = ({ story, witness, draft }: ReturnType<typeof statement>) =>
  disclose(draft, story, witness);

export const GOLDEN_MONEY: readonly Golden[] = [
  {
    file: 'bad-pairing-withheld.zip',
    about: 'the data of a pairing were left out, and all signed again',
    make: () => pack(withheldPairing()),
  },
  {
    file: 'bad-pairing-moved.zip',
    about: 'two pairings exchanged what they say, and all signed again',
    make: () => pack(movedPairing()),
  },
  {
    file: 'bad-pairing-forged.zip',
    about:
      'the chain has a pairing by a rule that compared an amount which one event does not have',
    make: () => pack(forgedPairing()),
  },
  {
    file: 'bad-pairing-stolen.zip',
    about: 'the chain has a pairing of a witness that is of another movement',
    make: () => pack(stolenWitness()),
  },
  {
    file: 'good-inherited.zip',
    about: 'a refund takes the links of its payment, and one with a cause of its own does not',
    make: () => pack(refunds()),
  },
  {
    file: 'good-inherited-unknown.zip',
    about: 'a refund takes nothing, because nothing that the bundle shows is what it names',
    make: () => pack(refunds({ taken: null, charge: 'ch_2' })),
  },
  {
    file: 'bad-inherited-withheld.zip',
    about: 'a link that a refund takes was left out, and all signed again',
    make: () => pack(withheldTaking()),
  },
  {
    file: 'bad-inherited-missing.zip',
    about: 'the chain has no link that the refund should take from its payment',
    make: () => pack(refunds({ taken: null })),
  },
  {
    file: 'bad-inherited-share.zip',
    about: 'the chain has a link of a refund with another share than the payment has',
    make: () => pack(refunds({ taken: { correlation_strength: 0.75 } })),
  },
  {
    file: 'bad-inherited-own-cause.zip',
    about: 'the chain has a link of a payment at a refund that has a cause of its own',
    make: () => pack(refunds({ beside: true })),
  },
  {
    file: 'good-statement-movement.zip',
    about: 'a statement with an event that the books report, too',
    make: () => pack(disclosed(statement('row'))),
  },
  {
    file: 'bad-statement-movement.zip',
    about: 'a row of a statement names a report that does not lead its movement',
    make: () => pack(disclosed(statement('witness'))),
  },
  {
    file: 'bad-statement-witness.zip',
    about: 'what a statement discloses of the witness of an event was left out',
    make: () => pack(statement('row').draft),
  },
];

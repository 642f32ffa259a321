import { type Draft, pack } from './bundle.js';
import { draftOf } from './draft.js';
import { editManifest, editObject, editRows, editText, withhold } from './edit.js';
import { overwritten } from './files-in.js';
import { GOLDEN_MONEY, type Golden } from './golden-money.js';
import { testKey } from './keys.js';
import { startLogs } from './logs.js';
import { erasedStory, fullStory, movementsStory } from './samples.js';
import { statementStory } from './statement.js';
import { Story } from './story.js';

const good = () => pack(draftOf(fullStory()));

async function nextBundle(): Promise<Buffer> {
  const story = fullStory();
  draftOf(story);
  story.wait(31 * 24 * 60);
  story.decide();
  const range = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
  return pack(draftOf(story, { range }));
}

const changedByte = async () => overwritten(await good(), 'approve_refund', 'x');

function droppedDecision(): Draft {
  const draft = draftOf(fullStory());
  const lines = String(draft.files.get('entries.ndjson')).split('\n');
  lines.splice(3, 1);
  draft.files.set('entries.ndjson', Buffer.from(lines.join('\n')));
  return editRows(draft, 'decisions.json', (rows) => rows.filter(({ seq }) => seq !== 3));
}

function forgedErasure(): Draft {
  const story = fullStory();
  const row = story.decisions[2]?.row ?? {};
  story.empty(row, 'inputs');
  row.erased_fields = ['inputs'];
  return draftOf(story);
}

function changedValue(): Draft {
  return editRows(draftOf(fullStory()), 'decisions.json', (rows) =>
    rows.map((row, index) => (index === 0 ? { ...row, inputs: { amount: '0.01' } } : row)),
  );
}

function droppedEvent(): Draft {
  return editRows(draftOf(fullStory()), 'events.json', (rows) => rows.slice(1));
}

const ARTICLE_12 = { exportType: 'compliance' } as const;

/** Two decisions of a range that is over, one with an erased field. */
function overStory(options: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story(options);
  startLogs(story);
  story.erase(story.decide(), ['inputs']);
  story.decide();
  story.wait(90 * 24 * 60);
  return story;
}

const articleRecords = () => draftOf(overStory(), ARTICLE_12);

function changedRecord(): Draft {
  return editText(articleRecords(), 'article12.json', (text) => text.replace('"19.90"', '"0.01"'));
}

function inventedValue(): Draft {
  return editText(articleRecords(), 'article12.json', (text) =>
    text.replace('"alternatives":null', '"alternatives":[{"approved":false}]'),
  );
}

const STATEMENT = { exportType: 'statement' } as const;

function changedFigure(): Draft {
  return editText(draftOf(statementStory(), STATEMENT), 'statement.json', (text) =>
    text.replace('"net":"41.98"', '"net":"41.99"'),
  );
}

/** Every figure is still the sum of its rows. */
function changedRow(): Draft {
  return editText(draftOf(statementStory(), STATEMENT), 'statement.json', (text) =>
    text.replace('"link_type":"cost"', '"link_type":"refund"'),
  );
}

function droppedRecord(): Draft {
  return editText(articleRecords(), 'article12.json', (text) => {
    const [head, first = '', , ...rest] = text.split('\n');
    return [head, first.slice(0, -1), ...rest].join('\n');
  });
}

function strippedTimes(): Story {
  const story = fullStory();
  story.forge = (entry) => entry.replace(/,"when":"[^"]*"/, '');
  const [event = ''] = story.events.keys();
  story.createLink(String(story.decisions[1]?.row.decision_id), event);
  return story;
}

function forgedCustody(): Draft {
  return editObject(articleRecords(), 'custody.json', { 'requested.by': 'operator' });
}

const JANUARY = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };

const movements = (story: Story) => draftOf(movementsStory(story), { range: JANUARY });

/** A witness is left out, and its pairing withheld. */
function droppedWitness(): Draft {
  const story = new Story();
  const draft = movements(story);
  const witness = [...story.events.values()].find(({ source }) => source === 'accounting/main');
  return withhold(draft, [String(witness?.id)]);
}

/** The report of the books leads, whereas that of the processor should. */
function otherLead(): Draft {
  const story = movementsStory();
  const [charge = '', booking = ''] = story.events.keys();
  story.move('movement.paired', { lead: booking, reports: [charge, booking] });
  return draftOf(story, { range: JANUARY });
}

export const GOLDEN: readonly Golden[] = [
  { file: 'good-forensic.zip', about: 'everything that a bundle may tell, once', make: good },
  {
    file: 'good-test-mode.zip',
    about: 'the same as test data',
    make: () => pack(draftOf(fullStory({ mode: 'test' }))),
  },
  {
    file: 'good-erased.zip',
    about: 'two fields of a decision were erased',
    make: () => pack(draftOf(erasedStory())),
  },
  {
    file: 'good-next.zip',
    about: 'goes on from good-forensic.zip',
    make: nextBundle,
    previous: 'good-forensic.zip',
  },
  {
    file: 'good-insurance.zip',
    about: 'sums of a state of both logs',
    make: () => pack(draftOf(overStory(), { exportType: 'insurance' })),
  },
  { file: 'bad-byte.zip', about: 'one byte of a file was changed', make: changedByte },
  {
    file: 'bad-key.zip',
    about: 'all of it is signed with another key',
    make: () => pack(draftOf(fullStory(), { key: testKey('second') })),
  },
  {
    file: 'bad-value.zip',
    about: 'a value was changed, and all signed anew',
    make: () => pack(changedValue()),
  },
  {
    file: 'bad-dropped-decision.zip',
    about: 'a decision was dropped with its entry, and all signed anew',
    make: () => pack(droppedDecision()),
  },
  {
    file: 'bad-dropped-event.zip',
    about: 'an event was dropped, and all signed anew',
    make: () => pack(droppedEvent()),
  },
  {
    file: 'bad-erasure.zip',
    about: 'a field is told as erased without a record, and all signed anew',
    make: () => pack(forgedErasure()),
  },
  {
    file: 'bad-repacked.zip',
    about: 'good-forensic.zip, unpacked and packed again without compression',
    make: () => pack(draftOf(fullStory()), { compress: false }),
  },
  {
    file: 'good-article12.zip',
    about: 'records for regulators with both chains and their logs',
    make: () => pack(articleRecords()),
  },
  {
    file: 'bad-article12.zip',
    about: 'a value of a record for regulators was changed, and all signed anew',
    make: () => pack(changedRecord()),
  },
  {
    file: 'bad-article12-invented.zip',
    about: 'a value that was never recorded was added to a record for regulators',
    make: () => pack(inventedValue()),
  },
  {
    file: 'bad-article12-mode.zip',
    about: 'records for regulators of test data are told as live, and all signed anew',
    make: () =>
      pack(editManifest(draftOf(overStory({ mode: 'test' }), ARTICLE_12), { mode: 'live' })),
  },
  {
    file: 'good-statement.zip',
    about: 'the figures of one agent with the rows that they are the sums of',
    make: () => pack(draftOf(statementStory(), STATEMENT)),
  },
  {
    file: 'bad-statement-figure.zip',
    about: 'a figure of a statement was changed, and all signed again',
    make: () => pack(changedFigure()),
  },
  {
    file: 'bad-statement-row.zip',
    about: 'a row of a statement was changed such that its figures stay, and all signed again',
    make: () => pack(changedRow()),
  },
  {
    file: 'bad-article12-dropped.zip',
    about: 'a record for regulators was dropped, and all signed again',
    make: () => pack(droppedRecord()),
  },
  {
    file: 'bad-custody.zip',
    about: 'the custody names another author than the activity, and all signed again',
    make: () => pack(forgedCustody()),
  },
  {
    file: 'bad-stripped-times.zip',
    about: 'the chain has a link whose record commits to no times, and all signed again',
    make: () => pack(draftOf(strippedTimes())),
  },
  {
    file: 'good-movements.zip',
    about:
      'money that several report: paired by a rule and by people, parted, superseded and deleted',
    make: () => pack(movements(new Story())),
  },
  {
    file: 'bad-movement-witness.zip',
    about: 'a report of another month was left out with its pairing, and all signed again',
    make: () => pack(droppedWitness()),
  },
  {
    file: 'bad-movement-lead.zip',
    about: 'the chain has a pairing with another lead than the rule says, and all signed again',
    make: () => pack(otherLead()),
  },
  ...GOLDEN_MONEY,
];

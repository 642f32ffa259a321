import { readFileSync } from 'node:fs';
import { commitmentOf, disclosureText } from '@decision-ledger/proof/commitment';
import { MAX_PRESENTATION, presentationText } from '@decision-ledger/proof/presentation/format';
import { PRESENTATION_FINDINGS } from '@decision-ledger/verifier/presentation/report';
import { presentationReportText } from '@decision-ledger/verifier/presentation/text';
import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
import { describe, expect, test } from 'vitest';
import { signerOf } from '../../proof/test/support/ed25519.js';
import {
  decisionText,
  disclosed,
  erasuresOf,
  erasureText,
  logOf,
  originOf,
  presentation,
} from './support/presentation.js';

const OTHER = 'led_01h455vb4pex5vsknk084sn02r';
const GENUINE = presentation();
const KEYS = [GENUINE.verifier_key, GENUINE.erasures?.verifier_key ?? ''];

async function codesOf(text: string): Promise<string[]> {
  const { integrity } = (await verifyPresentation(text)).verdicts;
  expect(integrity.verdict).toBe(integrity.findings.length === 0 ? 'pass' : 'fail');
  return integrity.findings.map(({ code }) => code);
}

const withEntry = (entry: string) => presentation(logOf(entry, originOf('decisions')));

/** The first path with another hash in it. */
const misled = {
  ...GENUINE,
  path: GENUINE.path.map((hash, at) => (at === 1 ? (GENUINE.path[0] ?? '') : hash)),
};
const commitments = {
  inputs: commitmentOf(disclosed.inputs),
  metadata: commitmentOf(disclosed.inputs),
};

describe('A presentation', () => {
  test('A genuine presentation passes, and shows what is disclosed, erased, withheld and absent', async () => {
    const report = await verifyPresentation(presentationText(GENUINE), { logKeys: KEYS });
    expect(report.verdicts).toMatchObject({
      integrity: { verdict: 'pass', basis: 'self', findings: [] },
      authenticity: { verdict: 'pass', basis: 'key', findings: [] },
      time: { verdict: 'unproven', findings: [{ code: 'time_unattested' }] },
    });
    expect(report.fields).toEqual({
      inputs: 'disclosed',
      outputs: 'withheld',
      alternatives: 'absent',
      metadata: 'erased',
    });
    expect(report.values).toEqual({ inputs: { note: 'a "quoted" \\ text' } });
    expect(presentationReportText(report)).toContain('authenticity: PASS (basis: key)');
  });

  test.each([
    ['a value', { disclosures: { inputs: disclosed.outputs } }, 'value_differs'],
    [
      'a value of a field that was not recorded',
      { disclosures: { alternatives: disclosureText('A'.repeat(22), 'alternatives', '[]') } },
      'value_unknown',
    ],
    ['the entry', { entry: decisionText({ confidence: 0.8 }) }, 'path_invalid'],
    ['the index', { index: 3 }, 'entry_position'],
    ['the path', misled, 'path_invalid'],
    ['the length of the path', { path: GENUINE.path.slice(1) }, 'path_invalid'],
    ['a hash of the path', { path: ['x'] }, 'path_invalid'],
    [
      'the tree',
      { checkpoint: GENUINE.checkpoint.replace('\n7\n', '\n8\n') },
      'checkpoint_invalid',
    ],
    ['the key', { verifier_key: GENUINE.verifier_key.replace('+', '-') }, 'checkpoint_invalid'],
    ['the kind of the entry', withEntry(erasureText()), 'entry_shape'],
    ['the form of the entry', withEntry('{}'), 'entry_shape'],
    ['the ledger of the log', logOf(decisionText(), originOf('decisions', OTHER)), 'log_other'],
    ['the chain of the log', logOf(decisionText(), originOf('activity')), 'log_other'],
    ['the origin of the log', logOf(decisionText(), 'example.com/log'), 'log_other'],
    [
      'the ledger of the activity',
      { erasures: erasuresOf(erasureText(), undefined, originOf('activity', OTHER)) },
      'log_other',
    ],
    [
      'the decision of an erasure',
      { erasures: erasuresOf(erasureText({ subject: 'dec_2' })) },
      'erasure_shape',
    ],
    [
      'the ledger of an erasure',
      { erasures: erasuresOf(erasureText({ ledger: OTHER })) },
      'erasure_shape',
    ],
    [
      'the type of an erasure',
      { erasures: erasuresOf(erasureText({ type: 'x' })) },
      'erasure_shape',
    ],
    ['the entry of an erasure', { erasures: erasuresOf('[]') }, 'erasure_shape'],
    [
      'the data of an erasure',
      { erasures: erasuresOf(erasureText(), disclosed.inputs) },
      'erasure_differs',
    ],
    [
      'an erasure that names no field',
      {
        erasures: erasuresOf(
          erasureText({ commitments: { data: commitmentOf(disclosed.inputs) } }),
          disclosed.inputs,
        ),
      },
      'erasure_shape',
    ],
    [
      'an erased field that is disclosed',
      {
        ...withEntry(decisionText({ commitments })),
        disclosures: { metadata: disclosed.inputs },
      },
      'erasure_contradicted',
    ],
    [
      'an erased field that was never recorded',
      withEntry(decisionText({ commitments: { inputs: commitments.inputs } })),
      'erasure_contradicted',
    ],
  ])('A presentation fails for a change of %s', async (_, change, code) => {
    expect(await codesOf(presentationText({ ...GENUINE, ...change }))).toContain(code);
  });

  test('A log with another key than the given one fails, and a key of the other chain proves nothing', async () => {
    const text = presentationText(GENUINE);
    const impostor = presentation(logOf(decisionText(), originOf('decisions'), 9));
    const other = await verifyPresentation(presentationText(impostor), { logKeys: KEYS });
    expect(other.verdicts.integrity.verdict).toBe('pass');
    expect(other.verdicts.authenticity).toMatchObject({
      verdict: 'fail',
      findings: [{ code: 'key_other' }],
    });
    const half = await verifyPresentation(text, { logKeys: KEYS.slice(0, 1) });
    expect(half.verdicts.authenticity).toMatchObject({
      verdict: 'unproven',
      findings: [{ code: 'key_unpinned' }],
    });
    await expect(verifyPresentation(text, { logKeys: ['x'] })).rejects.toThrow(/verifier key/);
  });

  test('The right keys prove nothing about a presentation that contradicts itself', async () => {
    const text = presentationText({ ...GENUINE, disclosures: { inputs: disclosed.outputs } });
    const { verdicts } = await verifyPresentation(text, { logKeys: KEYS });
    expect(verdicts.authenticity.verdict).toBe('unproven');
  });

  test('A checkpoint that an unknown key signed besides is accepted, and one that only it signed is not', async () => {
    const { key, sign } = signerOf('witness.example.com', 5);
    expect(key.name).toBe('witness.example.com');
    const [body = ''] = GENUINE.checkpoint.split('\n\n');
    const line = Buffer.concat([Buffer.alloc(4), Buffer.from(sign(Buffer.from(`${body}\n`)))]);
    const cosigned = `${GENUINE.checkpoint}— ${key.name} ${line.toString('base64')}\n`;
    expect(await codesOf(presentationText({ ...GENUINE, checkpoint: cosigned }))).toEqual([]);
    const alone = `${body}\n\n— ${key.name} ${line.toString('base64')}\n`;
    expect(await codesOf(presentationText({ ...GENUINE, checkpoint: alone }))).toEqual([
      'checkpoint_invalid',
    ]);
  });
});

describe('A hostile file', () => {
  const text = presentationText(GENUINE);
  test.each([
    ['nothing', ''],
    ['no JSON', 'PK\u0003\u0004'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a server answer', '{"error":{"code":"unauthorized","message":"no"}}'],
    ['another format', text.replace('presentation/v1', 'presentation/v2')],
    ['an unknown member', text.replace('"index"', '"extra": 1,\n  "index"')],
    ['a missing member', text.replace('"index"', '"other"')],
    ['a member twice', text.replace('"index"', '"entry": "{}",\n  "index"')],
    ['a member twice, once escaped', text.replace('"index"', '"\\u0065ntry": "{}",\n  "index"')],
    ['a number as text', text.replace('"index": 2', '"index": "2"')],
    ['a fraction', text.replace('"index": 2', '"index": 2.5')],
    ['an index beyond all numbers', text.replace('"index": 2', '"index": 1e400')],
    ['a path of objects', text.replace(/"path": \[/, '"path": [{},')],
    ['a disclosure of another kind', text.replace('"inputs": ', '"inputs": 1, "outputs": ')],
    ['too many values', text.replace('"path": [', `"path": [${'"x",'.repeat(5000)}`)],
    ['too deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['too deep inside', text.replace('"path": [', `"path": [${'['.repeat(100_000)}`)],
    ['a prototype', text.replace('"index"', '"__proto__": {},\n  "index"')],
    ['too large', `${text}${' '.repeat(MAX_PRESENTATION)}`],
    ['too many erasures', presentationText({ ...GENUINE, erasures: null }).replace('null', '{}')],
  ])('A file of this kind is refused: %s', async (_, hostile) => {
    const report = await verifyPresentation(hostile, { logKeys: KEYS });
    expect(report.verdicts.integrity.findings.map(({ code }) => code)).toEqual(['file_shape']);
    expect(report.verdicts.authenticity.verdict).toBe('unproven');
    expect(report.decision).toBeNull();
    expect(presentationReportText(report)).toContain('No readable presentation.');
  });

  test('Control characters of a file do not reach a terminal', async () => {
    const entry = decisionText({ agent_id: '\u001b[31m\u202e' });
    const report = await verifyPresentation(presentationText(withEntry(entry)));
    expect(presentationReportText(report)).not.toMatch(/[\u001b\u202e]/);
  });
});

test('The documentation lists every finding with its text, and each has a test', () => {
  const page = readFileSync(new URL('../../../docs/presentations.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+)` \| ([A-Z].*\.) \|$/gm)];
  expect(rows.map(([, code, text]) => [code, text])).toEqual(Object.entries(PRESENTATION_FINDINGS));
  const tests = readFileSync(new URL(import.meta.url), 'utf8');
  const codes = Object.keys(PRESENTATION_FINDINGS);
  expect(codes.filter((code) => !tests.includes(`'${code}'`))).toEqual([]);
});

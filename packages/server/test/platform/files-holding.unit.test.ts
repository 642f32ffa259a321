import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { filesHolding } from '../support/marked.js';

/** Creates and removes a folder with files until it is killed, and reports its start. */
const CHURN = `
  const { mkdirSync, rmSync, writeFileSync } = require('node:fs');
  const { join } = require('node:path');
  for (let round = 0; ; round += 1) {
    const folder = join(process.argv[1], 'round' + (round % 8));
    mkdirSync(folder, { recursive: true });
    for (let n = 0; n < 20; n += 1) writeFileSync(join(folder, 'file' + n), 'nothing');
    rmSync(folder, { recursive: true });
    if (round === 8) process.stdout.write('begun');
  }`;

test('A search finds a file by each of its texts, whether they begin alike or not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-search-'));
  const path = join(folder, 'file');
  const kept = ['mark-a', 'mark-bb', 'marmark-ccc', 'é and mark-ü', 'other'];
  writeFileSync(path, `before ${kept.join(' between ')}`);
  try {
    for (const text of ['mark-a', 'mark-bb', 'mark-ccc', 'mark-ü', 'other', 'é and']) {
      for (const texts of [[text], ['mark-x', text], [text, 'mark-bbb'], ['nothing', text]]) {
        expect(filesHolding(folder, texts)).toEqual([path]);
      }
    }
    for (const texts of [['mark-x'], ['mark-x', 'mark-bbb'], ['nothing', 'mark-cccc'], []]) {
      expect(filesHolding(folder, texts)).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('A search finds what an archive packs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-search-'));
  const path = join(folder, 'bundle.zip');
  const zip = new ZipFile();
  for (const text of ['first', 'the text', 'last']) {
    const packed = Buffer.from(`${text} and others. `.repeat(50));
    zip.addBuffer(packed, `${text}.txt`, { compress: true });
  }
  zip.end();
  const bytes = await buffer(zip.outputStream);
  writeFileSync(path, bytes);
  try {
    expect(bytes.includes('the text and')).toBe(false);
    expect(filesHolding(folder, ['the text and'])).toEqual([path]);
    expect(filesHolding(folder, ['no text'])).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('A search of a changing folder finds the files that stay and skips those that vanish', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-churn-'));
  writeFileSync(join(folder, 'kept'), 'the text');
  const churn = spawn(process.execPath, ['-e', CHURN, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(churn.stdout, 'data');
    for (let search = 0; search < 300; search += 1) {
      expect(filesHolding(folder, ['the text'])).toEqual([join(folder, 'kept')]);
    }
  } finally {
    churn.kill('SIGKILL');
    await once(churn, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
});

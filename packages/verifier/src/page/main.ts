import { type ByteSource, blobSource } from '../archive/byte-source.js';
import { normalFingerprint } from '../checks/keys.js';
import { isPresentation, logKeyProblem, READ_BYTES } from '../presentation/given.js';
import { verifyPresentation } from '../presentation/verify.js';
import { verifyBundle } from '../verify.js';
import { element, shown, showPresentation, showReport } from './show.js';

/** Sets up the form, and checks the chosen file. */
function start(): void {
  const form = element('form', HTMLFormElement);
  const bundle = element('bundle', HTMLInputElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const file = bundle.files?.[0];
    if (file === undefined) showProblem('Choose a file first.');
    else run(file);
  });
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    const files = event.dataTransfer?.files;
    if (files === undefined || files.length === 0) return;
    bundle.files = files;
    const [file] = files;
    if (file !== undefined) run(file);
  });
}

/** Aborted when another file is chosen. */
let newest = new AbortController();

/** Choosing another file stops the check of the former one, whose report is not shown. */
function run(file: File): void {
  newest.abort();
  newest = new AbortController();
  const { signal } = newest;
  const button = element('check', HTMLButtonElement);
  button.disabled = true;
  check(file, signal)
    .catch((error: unknown) => {
      if (!signal.aborted) showProblem(`The file could not be checked: ${String(error)}`);
    })
    .finally(() => {
      if (signal.aborted) return;
      button.disabled = false;
      element('progress', HTMLProgressElement).hidden = true;
    });
}

async function check(file: File, signal: AbortSignal): Promise<void> {
  showProblem('');
  const result = element('result', HTMLElement);
  result.replaceChildren();
  const shownReport = isPresentation(file.name)
    ? await checkPresentation(file)
    : await checkBundle(file, signal);
  if (signal.aborted || shownReport === null) return;
  result.replaceChildren(shown('p', file.name), ...shownReport);
}

/** @returns null if the form has a problem */
async function checkBundle(file: File, signal: AbortSignal): Promise<HTMLElement[] | null> {
  const text = element('fingerprint', HTMLInputElement).value.trim();
  const keyFingerprint = text === '' ? null : normalFingerprint(text);
  if (text !== '' && keyFingerprint === null) {
    showProblem('The fingerprint must be a SHA-256: 64 hexadecimal digits.');
    return null;
  }
  const earlier = element('previous', HTMLInputElement).files?.[0];
  const checkpoint = await textOf('checkpoint');
  const consistency = await textOf('consistency');
  const bar = element('progress', HTMLProgressElement);
  bar.hidden = false;
  bar.value = 0;
  const report = await verifyBundle(until(signal, file), {
    ...(keyFingerprint !== null && { keyFingerprint }),
    ...(earlier !== undefined && { previous: until(signal, earlier) }),
    ...(checkpoint !== null && { checkpoint }),
    ...(consistency !== null && { consistency }),
    onProgress: (done, total) => {
      if (signal.aborted) return;
      bar.value = Math.floor((done / Math.max(total, 1)) * 100);
    },
  });
  return showReport(report);
}

/** @returns null if the form has a problem */
async function checkPresentation(file: File): Promise<HTMLElement[] | null> {
  const given = element('log-keys', HTMLInputElement).value.trim();
  const logKeys = given === '' ? [] : given.split(/\s+/);
  for (const key of logKeys) {
    const problem = logKeyProblem(key);
    if (problem === null) continue;
    showProblem(`A verifier key is malformed: ${problem}`);
    return null;
  }
  const text = await file.slice(0, READ_BYTES).text();
  return showPresentation(await verifyPresentation(text, { logKeys }));
}

/** The text of a chosen file; null if none is chosen. */
async function textOf(id: 'checkpoint' | 'consistency'): Promise<string | null> {
  return (await element(id, HTMLInputElement).files?.[0]?.text()) ?? null;
}

/** A file whose reads fail after the check is aborted. */
function until(signal: AbortSignal, file: File): ByteSource {
  const { size, read } = blobSource(file);
  return {
    size,
    async read(offset, length) {
      signal.throwIfAborted();
      return read(offset, length);
    },
  };
}

function showProblem(problem: string): void {
  element('problem', HTMLElement).textContent = problem;
}

start();

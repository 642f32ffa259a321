import { blobSource } from '../archive/byte-source.js';
import { normalFingerprint } from '../report/fingerprint.js';
import { verifyBundle } from '../verify.js';
import { element, shown } from './elements.js';
import { showReport } from './show-report.js';

/** The page: what was chosen is checked, and what was found is shown. */
function start(): void {
  const form = element('form', HTMLFormElement);
  const bundle = element('bundle', HTMLInputElement);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const file = bundle.files?.[0];
    if (file === undefined) tell('Choose a bundle first.');
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

function run(file: File): void {
  const button = element('check', HTMLButtonElement);
  button.disabled = true;
  check(file)
    .catch((error: unknown) => tell(`The bundle could not be checked: ${String(error)}`))
    .finally(() => {
      button.disabled = false;
      element('progress', HTMLProgressElement).hidden = true;
    });
}

async function check(file: File): Promise<void> {
  tell('');
  const result = element('result', HTMLElement);
  result.replaceChildren();
  const text = element('fingerprint', HTMLInputElement).value.trim();
  const keyFingerprint = text === '' ? null : normalFingerprint(text);
  if (text !== '' && keyFingerprint === null) {
    tell('The fingerprint is not a SHA-256: 64 hexadecimal digits.');
    return;
  }
  const earlier = element('previous', HTMLInputElement).files?.[0];
  const bar = element('progress', HTMLProgressElement);
  bar.hidden = false;
  const report = await verifyBundle(blobSource(file), {
    ...(keyFingerprint !== null && { keyFingerprint }),
    ...(earlier !== undefined && { previous: blobSource(earlier) }),
    onProgress: (done, total) => {
      bar.value = Math.floor((done / Math.max(total, 1)) * 100);
    },
  });
  result.replaceChildren(shown('p', file.name), ...showReport(report));
}

function tell(problem: string): void {
  element('problem', HTMLElement).textContent = problem;
}

start();

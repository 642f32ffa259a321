import { expect, it } from 'vitest';
import { originProblem } from '#server/domains/access/settings/rules/origins';

it.each([
  'https://app.example.com',
  'http://localhost:5173',
  'http://127.0.0.1:8080',
  'http://[::1]:3000',
  'https://xn--bcher-kva.example',
])('%s is an origin', (text) => {
  expect(originProblem(text)).toBeNull();
});

it.each([
  ['https://app.example.com/', 'write https://app.example.com'],
  ['https://app.example.com/shop?x=1', 'write https://app.example.com'],
  ['https://App.Example.com', 'write https://app.example.com'],
  ['HTTPS://app.example.com', 'write https://app.example.com'],
  ['https://app.example.com:443', 'write https://app.example.com'],
  ['http://app.example.com:80', 'write http://app.example.com'],
  ['https://user:secret@app.example.com', 'write https://app.example.com'],
  ['app.example.com', 'write https://app.example.com'],
  ['https://bücher.example', 'write https://xn--bcher-kva.example'],
  ['', 'must be an origin'],
  ['https://', 'must be an origin'],
  ['ftp://app.example.com', 'must be an origin'],
  ['*', 'a pattern would admit pages of others'],
  ['https://*.example.com', 'a pattern would admit pages of others'],
  ['null', 'browsers send null for many pages'],
])('%j is none, and the problem says what to do', (text, problem) => {
  expect(originProblem(text)).toContain(problem);
});

// Checks the code on the pages: it parses, and requests with curl are as the API describes them.
import { execFileSync, spawnSync } from 'node:child_process';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ts from 'typescript';
import { curlRequests } from './docs-curl.js';

const FENCE = /^( *)```(\w+)\n([\s\S]*?)^ *```$/gm;

/** What is wrong with a snippet, by its language; null if it parses. Other languages are not checked. */
const PARSERS = { json: wrongJson, ts: wrongScript, js: wrongScript, sh: wrongShell };

/** Every snippet parses. A snippet of JSON may leave out parts with "…". */
export function checkSnippets(_facts, pages) {
  return [
    ...pages.flatMap((page) =>
      snippetsOf(page).flatMap(({ language, code, line }) => {
        const problem = PARSERS[language]?.(code) ?? null;
        return problem === null ? [] : [`${page.path}:${line}: ${problem}`];
      }),
    ),
    ...wrongPython(pages),
  ];
}

/** Each request that a page makes with curl is an operation, with its parameters and its body. */
export function checkRequests({ endpoints }, pages) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  return pages.flatMap((page) =>
    snippetsOf(page)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ code, line }) =>
        curlRequests(code)
          .flatMap((request) => wrongRequest(request, endpoints, ajv))
          .map((problem) => `${page.path}:${line}: ${problem}`),
      ),
  );
}

function wrongRequest({ method, path, query, body }, endpoints, ajv) {
  const found = endpoints.find((one) => one.method === method && matches(one.address, path));
  if (found === undefined) return [`the API has no ${method} ${path}`];
  const { parameters = [], requestBody } = found.operation;
  const known = parameters.filter((one) => one.in === 'query');
  const isKnown = (name) =>
    known.some((one) => (one.explode ? name.includes('.') : one.name === name));
  const unknown = query.filter((name) => !isKnown(name));
  const schema = Object.values(requestBody?.content ?? {}).at(-1)?.schema;
  const isWrong = body !== null && schema !== undefined && !ajv.validate(schema, body);
  return [
    ...unknown.map((name) => `${found.name} has no parameter ${name}`),
    ...(isWrong ? [`the body of ${found.name} is not valid: ${ajv.errorsText()}`] : []),
  ];
}

function matches(address, path) {
  const wanted = address.split('/');
  const given = path.split('/');
  const fits = (segment, at) => segment === given[at] || /^\{\w+\}$/.test(segment);
  return wanted.length === given.length && wanted.every(fits);
}

function snippetsOf({ text }) {
  return [...text.matchAll(FENCE)].map(({ 1: indent, 2: language, 3: code, index }) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    line: text.slice(0, index).split('\n').length,
  }));
}

/** Values that a page leaves out are written as an ellipsis. */
function wrongJson(code) {
  const complete = code
    .replaceAll(/(?<=[:[,{]\s*)…/g, 'null')
    .replaceAll(/[,\s]*…(?=\s*[}\]])/g, '');
  for (const part of [complete, ...complete.split('\n').filter(Boolean)]) {
    try {
      JSON.parse(part);
      if (part === complete) return null;
    } catch (error) {
      // Lines of JSON are read one by one.
      if (part !== complete) return `the JSON cannot be read: ${error.message}`;
    }
  }
  return null;
}

function wrongScript(code) {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext };
  const given = code.replaceAll('(…)', '()').replaceAll('…', 'undefined');
  const { diagnostics } = ts.transpileModule(given, {
    compilerOptions: options,
    reportDiagnostics: true,
  });
  const [first] = diagnostics ?? [];
  return first === undefined ? null : `the code cannot be read: ${first.messageText}`;
}

function wrongShell(code) {
  const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
  return status === 0 ? null : `the shell cannot read it: ${stderr.trim()}`;
}

const PARSE_ALL = `import ast, json, sys
for item in json.load(sys.stdin):
    try:
        compile(item["code"], item["place"], "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        print(f'{item["place"]}: the code cannot be read: {error.msg}')`;

/** One process reads all snippets of Python; without Python, they are not checked. */
function wrongPython(pages) {
  const items = pages.flatMap((page) =>
    snippetsOf(page)
      .filter(({ language }) => language === 'python')
      .map(({ code, line }) => ({ place: `${page.path}:${line}`, code })),
  );
  if (items.length === 0 || spawnSync('python3', ['--version']).status !== 0) return [];
  const input = JSON.stringify(items);
  const output = execFileSync('python3', ['-c', PARSE_ALL], { input, encoding: 'utf8' });
  return output.split('\n').filter((line) => line !== '');
}

import { fieldRows, meaningOf, typeOf } from './fields.js';
import { requestsOf } from './requests.js';
import { code, fence, paragraphs, table } from './text.js';

/** The page of an operation, as Markdown. */
export function operationPage({ endpoint, headers, examples }) {
  const { operation } = endpoint;
  return paragraphs(
    `# ${operation.summary}`,
    code(`${endpoint.method} ${endpoint.address}`),
    factsOf(endpoint),
    request(endpoint),
    answers(operation, headers),
    errors(operation, examples),
  );
}

function factsOf({ operation, config }) {
  const { permission, bucket } = config;
  const needs = { undefined: 'No key is needed.', any: 'Any key may call it.' };
  const limit = bucket && `It counts against the rate limit \`${bucket}\`.`;
  const given = operation.description?.replace(/^Needs the permission `\w+`\.\s*/, '');
  const permitted = needs[permission] ?? `It needs the permission \`${permission}\`.`;
  return paragraphs([permitted, limit].filter(Boolean).join(' '), given);
}

function request(endpoint) {
  const { parameters = [], requestBody } = endpoint.operation;
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const fields = body === undefined ? [] : fieldRows(body.schema);
  return paragraphs(
    '## Request',
    ...Object.entries(requestsOf(endpoint)).map(([language, text]) => fence(text, language)),
    parameters.length > 0 && parameterTable(parameters),
    type !== undefined && `The body is ${code(type)}.`,
    fields.length > 0 && fieldTable(fields),
  );
}

function parameterTable(parameters) {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    code(name),
    place,
    typeOf(schema),
    [required ? 'Required.' : '', description ?? meaningOf(schema)].join(' ').trim(),
  ]);
  return table(['Parameter', 'In', 'Type', 'Meaning'], rows);
}

function fieldTable(rows) {
  return table(
    ['Field', 'Type', 'Meaning'],
    rows.map(([path, type, meaning]) => [code(path), type, meaning]),
  );
}

function answers({ responses }, headers) {
  const good = Object.entries(responses).filter(([status]) => status < '400');
  return good.map(([status, answer]) => {
    const contents = Object.entries(answer.content ?? {});
    return paragraphs(
      `## Answer ${status}`,
      answer.description,
      contents.map(([type, content]) => contentOf(type, content)),
      headerTable(answer.headers ?? {}, headers),
    );
  });
}

function contentOf(type, { schema, example }) {
  const fields = fieldRows(schema ?? {}).filter(([path]) => !/^meta\b/.test(path));
  return paragraphs(
    `As ${code(type)}:`,
    example !== undefined && fence(JSON.stringify(example, null, 2), 'json'),
    fields.length > 0 && fieldTable(fields),
  );
}

function headerTable(own, named) {
  const rows = Object.entries(own).map(([name, header]) => {
    const described = named[header.$ref?.split('/').at(-1)] ?? header;
    return [code(name), described.description ?? ''];
  });
  return rows.length > 0 && table(['Header', 'Meaning'], rows);
}

function errors({ responses }, examples) {
  const rows = Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, answer]) =>
      codesOf(answer).map((name) => [
        status,
        `[${code(name)}](errors/${name}.md)`,
        examples[name]?.value?.error?.message ?? '',
      ]),
    );
  if (rows.length === 0) return '';
  return paragraphs('## Errors', table(['Status', 'Code', 'Such as'], rows));
}

/** The error codes of an answer. */
export function codesOf({ content }) {
  return Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {}));
}

/** The page that lists every operation by its tag, as Markdown. */
export function overviewPage(endpoints) {
  const tags = [...new Set(endpoints.map(({ operation }) => operation.tags[0]))];
  return paragraphs(
    '# Every operation',
    'Each operation has a page with its parameters, its answer and its errors, and an example of a request. They are generated ' +
      'from the description that the service gives of itself in `GET /openapi.json`. What all of them share is in the ' +
      '[API](../api.md).',
    tags.map((tag) => {
      const own = endpoints.filter(({ operation }) => operation.tags[0] === tag);
      return paragraphs(`## ${tag[0].toUpperCase()}${tag.slice(1)}`, table(HEAD, own.map(row)));
    }),
  );
}

const HEAD = ['Operation', 'Request', 'Permission'];

function row({ method, address, operation, config }) {
  const link = `[${operation.summary}](${operation.operationId}.md)`;
  const permission = { undefined: 'no key', any: 'any key' }[config.permission];
  return [link, code(`${method} ${address}`), permission ?? code(config.permission)];
}

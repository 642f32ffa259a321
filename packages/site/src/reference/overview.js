import { code, paragraphs, table } from './text.js';

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

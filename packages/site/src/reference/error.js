import { codesOf } from './operation.js';
import { code, fence, paragraphs } from './text.js';

/**
 * The page of an error, as Markdown.
 * @param section its part of docs/errors.md
 */
export function errorPage({ name, status, section, endpoints, examples }) {
  const example = examples[name]?.value;
  const from = endpoints.filter(({ operation }) =>
    Object.values(operation.responses).some((answer) => codesOf(answer).includes(name)),
  );
  return paragraphs(
    `# ${name}`,
    `HTTP status ${status}.`,
    section,
    example !== undefined &&
      paragraphs('## Example', fence(JSON.stringify(example, null, 2), 'json')),
    from.length > 0 && paragraphs('## Operations that answer with it', from.map(linkTo).join('\n')),
    'All errors: [Errors](../../errors.md).',
  );
}

function linkTo({ name, operation }) {
  return `- [${operation.summary}](../${operation.operationId}.md): ${code(name)}`;
}

/** The sections of docs/errors.md, by code: their text between two headings of the third level. */
export function errorSections(text) {
  const [, ...parts] = text.split(/^### /m);
  return new Map(
    parts.map((part) => {
      const [title, ...lines] = part.split('\n');
      return [
        title.trim(),
        lines
          .join('\n')
          .replace(/\n## [\s\S]*$/, '')
          .trim(),
      ];
    }),
  );
}

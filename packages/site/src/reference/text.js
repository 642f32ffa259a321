// Pieces of Markdown that the generated pages are made of.

export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

export function code(text) {
  return `\`${text}\``;
}

export function fence(text, language) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Joins the parts that are there, as paragraphs. */
export function paragraphs(...parts) {
  return parts.flat().filter(Boolean).join('\n\n');
}

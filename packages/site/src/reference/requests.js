// An example request as programs send it, made of the examples in the description.

const SERVICE = 'http://127.0.0.1:8080';

/** The same request in each language: name of the language in a fence → code. */
export function requestsOf(endpoint) {
  const request = requestOf(endpoint);
  return { sh: curlOf(request), ts: fetchOf(request), python: urllibOf(request) };
}

function requestOf({ method, address, operation, config }) {
  const { parameters = [], requestBody } = operation;
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name, ...rest }) => `${name}=${encodeURIComponent(exampleOf(rest))}`);
  const path = address.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const found = parameters.find((one) => one.in === 'path' && one.name === name);
    return found === undefined ? whole : String(exampleOf(found, name));
  });
  const url = `${SERVICE}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const [type, body] = Object.entries(requestBody?.content ?? {}).at(-1) ?? [];
  const example = body?.example ?? body?.schema?.examples?.[0];
  return { method, url, hasKey: config.permission !== undefined, type, example };
}

function exampleOf({ example, schema = {} }, name = 'value') {
  return (
    example ?? schema.example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? name.toUpperCase()
  );
}

function curlOf({ method, url, hasKey, type, example }) {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    hasKey && '-H "X-Ledger-Key: $LEDGER_KEY"',
    type !== undefined && `-H 'Content-Type: ${type}'`,
    example !== undefined && `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

function fetchOf({ method, url, hasKey, type, example }) {
  const headers = [
    hasKey && "'X-Ledger-Key': process.env.LEDGER_KEY ?? ''",
    type !== undefined && `'Content-Type': '${type}'`,
  ].filter(Boolean);
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    example !== undefined && `body: JSON.stringify(${indented(JSON.stringify(example, null, 2))}),`,
  ].filter(Boolean);
  const given = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : '';
  return `const response = await fetch('${url}'${given});\nconsole.log(response.status, await response.text());`;
}

function urllibOf({ method, url, hasKey, type, example }) {
  const headers = [
    hasKey && '"X-Ledger-Key": os.environ["LEDGER_KEY"]',
    type !== undefined && `"Content-Type": "${type}"`,
  ].filter(Boolean);
  const options = [
    `"${url}",`,
    method !== 'GET' && `method="${method}",`,
    headers.length > 0 && `headers={${headers.join(', ')}},`,
    example !== undefined && `data=json.dumps(${indented(pythonOf(example))}).encode(),`,
  ].filter(Boolean);
  const modules = [example !== undefined && 'json', hasKey && 'os', 'urllib.request'];
  return [
    `import ${modules.filter(Boolean).join(', ')}`,
    '',
    `request = urllib.request.Request(\n    ${options.join('\n    ')}\n)`,
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n');
}

function indented(text) {
  return text.replaceAll('\n', '\n  ');
}

/** A value as Python writes it. Strings of JSON are strings of Python. */
function pythonOf(value, depth = 1) {
  const pad = '    '.repeat(depth);
  const lines = (parts, [open, close]) =>
    parts.length === 0
      ? open + close
      : `${open}\n${parts.map((part) => `${pad}${part},\n`).join('')}${pad.slice(4)}${close}`;
  if (Array.isArray(value)) {
    return lines(
      value.map((item) => pythonOf(item, depth + 1)),
      '[]',
    );
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    return lines(
      members.map(([name, item]) => `${JSON.stringify(name)}: ${pythonOf(item, depth + 1)}`),
      '{}',
    );
  }
  return { true: 'True', false: 'False', null: 'None' }[String(value)] ?? JSON.stringify(value);
}

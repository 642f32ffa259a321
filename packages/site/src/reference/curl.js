// An example request in the shell, made of the examples in the description.

const SERVICE = 'http://127.0.0.1:8080';

export function curlOf({ method, address, operation, config }) {
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
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${url}'`,
    config.permission !== undefined && '-H "X-Ledger-Key: $LEDGER_KEY"',
    type !== undefined && `-H 'Content-Type: ${type}'`,
    example !== undefined && `-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

function exampleOf({ example, schema = {} }, name = 'value') {
  return (
    example ?? schema.example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? name.toUpperCase()
  );
}

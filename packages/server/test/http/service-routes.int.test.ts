import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Static, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decision, expectRefusal, type Method, request } from '../support/client.js';
import { SERVER } from '../support/paths.js';
import { routesOf } from '../support/routes.js';
import { openTestService, type TestService } from '../support/service.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const Operation = Type.Object({
  summary: Type.String({ minLength: 1 }),
  tags: Type.Array(Type.String(), { minItems: 1 }),
  security: Type.Optional(Type.Array(Type.Unknown())),
  responses: Type.Record(Type.String(), Type.Unknown()),
  requestBody: Type.Optional(Type.Unknown()),
});
const Description = Type.Object({
  openapi: Type.String(),
  info: Type.Object({ version: Type.String() }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

async function description(url = '/openapi.json'): Promise<Static<typeof Description>> {
  const { text } = await request(bed.http, 'GET', url);
  return Parse(Description, JSON.parse(text));
}

describe.for(['', '/api/v1'])('Prefix "%s"', (prefix) => {
  const get = (path: string) => request(bed.http, 'GET', `${prefix}${path}`);

  it('GET /version returns the version of the package and of the interface', async () => {
    const manifest = resolve(SERVER, 'package.json');
    const { version } = Parse(
      Type.Object({ version: Type.String() }),
      JSON.parse(readFileSync(manifest, 'utf8')),
    );
    const answer = await get('/version');
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { version, interface: '0.14.0' },
    ]);
  });

  it.for(['/healthz', '/readyz'])('GET %s answers ok with a request id', async (path) => {
    const answer = await get(path);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status: 'ok' }]);
    expect(answer.header('x-request-id')).toMatch(/^req_/);
  });

  it('GET /metrics returns Prometheus metrics by route and never by tenant', async () => {
    const { live, id } = await bed.organisation();
    const made = await live.post('/decisions', decision({ agent_id: 'a-tenants-agent' }));
    const [decisionId = ''] = /dec_[0-9a-z]{26}/.exec(made.text) ?? [];
    await live.get(`/decisions/${decisionId}`);
    await live.get('/decisions?agent_id=a-tenants-agent');
    await live.get(`/nothing/${decisionId}`);
    const answer = await get('/metrics');
    expect(answer.header('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.text).toContain('route="/api/v1/decisions/:id"');
    expect(answer.text).toContain('ledger_group_decisions_bucket');
    expect(answer.text).toContain('process_resident_memory_bytes');
    const secrets = [decisionId, id, live.key, 'a-tenants-agent', 'organisation '];
    for (const secret of secrets) expect(answer.text).not.toContain(secret);
  });

  it('GET /openapi.json returns the same description under both prefixes', async () => {
    expect(await description(`${prefix}/openapi.json`)).toEqual(await description());
  });
});

describe('API description', () => {
  it('The description is valid OpenAPI 3.1 of this version', async () => {
    const { text } = await request(bed.http, 'GET', '/openapi.json');
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
    const { openapi, info } = await description();
    expect(openapi).toMatch(/^3\.1\./);
    const { text: version } = await request(bed.http, 'GET', '/version');
    expect(JSON.parse(version)).toMatchObject({ version: info.version });
  });

  it('The description lists every route once, and no other', async () => {
    const { paths } = await description();
    const described = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => {
        // The rest of a path is described as one parameter.
        const route = path.replace('{path}', '*').replaceAll('{', ':').replaceAll('}', '');
        return `${method.toUpperCase()} ${route}`;
      }),
    );
    const own = new Set(described);
    // The routes for operators answer under both prefixes.
    const alias = (route: string) => own.has(route.replace('/api/v1', ''));
    const routes = (await routesOf(bed.http)).filter((route) => own.has(route) || !alias(route));
    expect(described.sort()).toEqual(routes);
  });

  it('The description states the purpose, input and answers of each route', async () => {
    const { paths } = await description();
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        expect(operation.summary, path).not.toBe('');
        expect(Object.keys(operation.responses).join(), path).toMatch(/^(101|20[012])/);
        const isOpen = operation.tags.includes('service') || path.startsWith('/api/v1/logs/');
        expect(operation.security?.length === 0, path).toBe(isOpen);
        // An action needs only its path, and Stripe describes its own payload.
        const isBare = /\/(retry|poll|stripe|tickets)$/.test(path);
        const takesBody = ['post', 'patch'].includes(method) && !isBare;
        expect(operation.requestBody !== undefined, `${method} ${path}`).toBe(takesBody);
      }
    }
  });
});

describe('Unknown paths', () => {
  it.for(['/', '/api', '/api/v1', '/api/v2/decisions', '/api/v1/decisions/a/b', '/favicon.ico'])(
    'The unknown path %s is answered with 404, with or without a key',
    async (path) => {
      const { live } = await bed.organisation();
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        for (const headers of [{}, { 'x-ledger-key': live.key }]) {
          expectRefusal(await request(bed.http, method, path, headers), 'not_found');
        }
      }
    },
  );
});

/** Each request of a file is recorded as a download, so there is no HEAD of it. */
const WITHOUT_HEAD = '/api/v1/exports/:id/download';

describe('Wrong methods', () => {
  it('A wrong method is answered with 405 and Allow, whatever the body', async () => {
    const routes = await routesOf(bed.http);
    const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
    for (const url of new Set(routes.map((route) => route.split(' ')[1] ?? ''))) {
      const known = methods.filter((method) => routes.includes(`${method} ${url}`));
      const hasHead = known.includes('GET') && url !== WITHOUT_HEAD;
      const allowed = [...known, ...(hasHead ? ['HEAD'] : [])].sort().join(', ');
      for (const method of methods.filter((name) => !known.includes(name))) {
        const headers = { 'content-type': 'text/plain' };
        const answer = await request(bed.http, method, url.replace(':id', 'x'), headers, 'body');
        expectRefusal(answer, 'method_not_allowed');
        expect(answer.header('allow'), `${method} ${url}`).toBe(allowed);
      }
    }
  });
});

describe('Lost database', () => {
  it('A service without its database is alive but not ready, and says when to retry', async () => {
    const broken = await openTestService('embedded');
    const { live } = await broken.organisation();
    await live.get('/decisions');
    await broken.service.storage.close();
    expect((await request(broken.http, 'GET', '/healthz')).status).toBe(200);
    expect((await request(broken.http, 'GET', '/version')).status).toBe(200);
    const ready = await request(broken.http, 'GET', '/readyz');
    expectRefusal(ready, 'unavailable');
    expect(ready.header('retry-after')).toBe('1');
    for (const answer of [
      await live.get('/decisions'),
      await live.post('/decisions', decision()),
    ]) {
      expectRefusal(answer, 'unavailable');
      expect(answer.header('retry-after')).toBe('1');
    }
    // Only the folder is left to clean up.
    await expect(broken.close()).rejects.toThrow();
  });
});

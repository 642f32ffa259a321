import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LIMITS } from '@decision-ledger/contract/limits';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createProgram } from '#server/cli/program';
import { Environment } from '#server/environment';
import { VERSION } from '#server/version';
import { ROOT } from '../support/paths.js';

const DEPLOY = resolve(ROOT, 'deploy');
const read = (name: string) => readFileSync(resolve(ROOT, name), 'utf8');

/** The files that users take, by their path from the root of the repository. */
const files = [
  'Dockerfile',
  ...readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
];

/** How long the service may take to stop. */
const DRAIN_SECONDS = 30;

const Probe = Type.Object({ httpGet: Type.Object({ path: Type.String() }) });
const Workload = Type.Object({
  kind: Type.Union([Type.Literal('Deployment'), Type.Literal('Job')]),
  spec: Type.Object({
    template: Type.Object({
      spec: Type.Object({
        terminationGracePeriodSeconds: Type.Optional(Type.Number()),
        containers: Type.Array(
          Type.Object({
            args: Type.Array(Type.String()),
            startupProbe: Type.Optional(Probe),
            livenessProbe: Type.Optional(Probe),
            readinessProbe: Type.Optional(Probe),
          }),
        ),
      }),
    }),
  }),
});

function workloads() {
  const documents = ['api', 'worker', 'migrate'].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => document.toJS()),
  );
  return documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((document) => Parse(Workload, document).spec.template.spec);
}

const Compose = Type.Object({
  services: Type.Record(
    Type.String(),
    Type.Object({
      image: Type.String(),
      command: Type.Optional(Type.Array(Type.String())),
      stop_grace_period: Type.Optional(Type.String()),
    }),
  ),
});
const compose = () => Parse(Compose, parse(read('deploy/compose/compose.yaml'), { merge: true }));

describe('Files for deployment', () => {
  it('Every variable of the service in them exists', () => {
    const named = files.flatMap((name) => {
      const found = read(name).matchAll(/\b(?:LEDGER|DATABASE|AWS)_[A-Z_]+\b/g);
      return Array.from(found, ([variable]) => variable);
    });
    const known = Object.keys(Environment.properties);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
  });

  it('Every command in them exists', () => {
    const program = createProgram((code) => {
      throw new Error(`exit ${code}`);
    });
    const known = program.commands.map((command) => command.name());
    const [, unit] =
      /decision-ledger\.js (\S+)$/m.exec(read('deploy/systemd/decision-ledger.service')) ?? [];
    const [, image] = /^CMD \["(\w+)"\]/m.exec(read('Dockerfile')) ?? [];
    const used = [
      ...[unit, image],
      ...workloads().flatMap(({ containers }) => containers.flatMap(({ args }) => args)),
      ...Object.values(compose().services).flatMap(({ command = [] }) => command),
    ];
    expect(used).toHaveLength(8);
    expect(used.filter((command) => command === undefined || !known.includes(command))).toEqual([]);
  });

  it('Every path that is probed is a route of the service', () => {
    const { paths } = JSON.parse(read('packages/server/test/http/released-openapi.json'));
    const probed = workloads().flatMap(({ containers }) =>
      containers.flatMap(({ startupProbe, livenessProbe, readinessProbe }) =>
        [startupProbe, livenessProbe, readinessProbe].flatMap((probe) => probe?.httpGet.path ?? []),
      ),
    );
    const [, image] = /127\.0\.0\.1:\$\{port\}(\/\w+)/.exec(read('deploy/image/health.js')) ?? [];
    expect(probed).toHaveLength(6);
    expect([image, ...probed].filter((path) => !(`${path}` in paths))).toEqual([]);
  });

  it('Everything that stops the service waits for longer than it takes', () => {
    expect(read('packages/server/src/cli/serve.ts')).toContain(
      `const DRAIN_MS = ${DRAIN_SECONDS}_000;`,
    );
    const [, unit] =
      /TimeoutStopSec=(\d+)$/m.exec(read('deploy/systemd/decision-ledger.service')) ?? [];
    const pods = workloads().flatMap((pod) => pod.terminationGracePeriodSeconds ?? []);
    const containers = Object.values(compose().services).flatMap(
      (service) => service.stop_grace_period?.replace('s', '') ?? [],
    );
    expect(pods).toHaveLength(2);
    expect(containers).toHaveLength(3);
    for (const seconds of [unit, ...pods, ...containers]) {
      expect(Number(seconds)).toBeGreaterThan(DRAIN_SECONDS);
    }
  });

  it('The image has the version of this release', () => {
    const [, tag] = /newTag: (\S+)/.exec(read('deploy/kubernetes/kustomization.yaml')) ?? [];
    expect(tag).toBe(VERSION);
    const { migrate, api, worker } = compose().services;
    for (const service of [migrate, api, worker]) {
      expect(service?.image).toBe(`decision-ledger:${VERSION}`);
    }
  });

  it('The proxies accept bodies somewhat larger than the service, whose refusals explain themselves', () => {
    const mebibytes = LIMITS.batchBodyBytes / 1024 ** 2;
    const [, nginx] = /client_max_body_size (\d+)m;/.exec(read('deploy/proxy/nginx.conf')) ?? [];
    const [, caddy] = /max_size (\d+)MiB/.exec(read('deploy/proxy/Caddyfile')) ?? [];
    expect([nginx, caddy].map(Number)).toEqual([mebibytes + 1, mebibytes + 1]);
  });
});

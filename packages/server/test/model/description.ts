import '@fastify/swagger';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import type { Http } from '#server/http/types';
import type { Answer } from '../support/client.js';

/** An operation of the description of the API. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** As in the description, such as `/api/v1/decisions/{id}`. */
  readonly path: string;
  readonly statuses: ReadonlySet<number>;
  /** What is wrong with the body of an answer by its schema; empty if nothing is, or the body is not JSON. */
  problemsOf(answer: Answer): string;
}

const Content = Type.Record(Type.String(), Type.Unknown());
const Described = Type.Object({
  operationId: Type.String(),
  responses: Type.Record(Type.String(), Type.Object({ content: Type.Optional(Content) })),
});
const Description = Type.Object({
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Described)),
});

/** Operations that read by their method, and write: the chain of activity or an announcement says that they were called. */
const WRITING_GETS = [
  'downloadExport',
  'getDecisionProof',
  'verifyActivityChain',
  'verifyDecisionChain',
];

const JSON_TYPE = 'application/json';

/** Every operation of the description, by its id. */
export async function operationsOf(http: Http): Promise<ReadonlyMap<string, Operation>> {
  await http.ready();
  const document = http.swagger();
  const { paths } = Parse(Description, document);
  // The schemas have keywords of their own, and name formats that other tests check.
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, validateSchema: false },
    // Most schemas are used a few times, and take longer to compile than to apply.
    ...{ inlineRefs: false, code: { optimize: false } },
  });
  ajv.addSchema(document, 'api');
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId: id, responses }]) => {
        const statuses = new Set(Object.keys(responses).map(Number));
        const problemsOf = ({ status, text, header }: Answer) => {
          const isJson = header('content-type')?.startsWith(JSON_TYPE) === true;
          if (!isJson || responses[status]?.content?.[JSON_TYPE] === undefined) return '';
          const place = ['paths', path, method, 'responses', `${status}`, 'content', JSON_TYPE];
          // Compiled once.
          const check = ajv.getSchema(pointer([...place, 'schema']));
          if (check === undefined) throw new Error(`${id} has no schema for ${status}`);
          return check(JSON.parse(text)) === true ? '' : ajv.errorsText(check.errors);
        };
        return [id, { id, method: method.toUpperCase(), path, statuses, problemsOf }] as const;
      }),
    ),
  );
}

function pointer(names: readonly string[]): string {
  const escaped = names.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `api#/${escaped.map(encodeURIComponent).join('/')}`;
}

/** Whether an operation changes what the service keeps. */
export const writes = ({ id, method }: Operation) => method !== 'GET' || WRITING_GETS.includes(id);

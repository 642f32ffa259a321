import { describe, expect, it } from 'vitest';
import type { Node } from '#server/http/openapi/components';
import { portable, portableSchema } from '#server/http/openapi/portable';

const CASES: Readonly<Record<string, readonly [schema: Node, written: Node]>> = {
  'Members of a patch that may only be null are not described': [
    { type: 'object', properties: {}, additionalProperties: { type: 'null' } },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  'Members whose names have a pattern are a table': [
    {
      type: 'object',
      patternProperties: { '^x': { type: 'string' } },
      additionalProperties: false,
    },
    { type: 'object', propertyNames: { pattern: '^x' }, additionalProperties: { type: 'string' } },
  ],
  'An integer that may be large has 64 bits': [
    {
      anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer', maximum: 2 ** 31 } }],
    },
    {
      anyOf: [
        { type: 'integer', format: 'int64' },
        { type: 'array', items: { type: 'integer', maximum: 2 ** 31, format: 'int64' } },
      ],
    },
  ],
  'An integer that is small keeps the width of its language': [
    { type: 'integer', maximum: 2 ** 31 - 1 },
    { type: 'integer', maximum: 2 ** 31 - 1 },
  ],
  'A number has double precision': [{ type: 'number' }, { type: 'number', format: 'double' }],
  'A constant boolean is a boolean, and a constant text stays': [
    {
      properties: { skip: { type: 'boolean', const: true }, code: { type: 'string', const: 'x' } },
    },
    { properties: { skip: { type: 'boolean' }, code: { type: 'string', const: 'x' } } },
  ],
  'A listed text or null is one type with null': [
    { anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }], description: 'Null if none.' },
    { type: ['string', 'null'], enum: ['a', 'b', null], description: 'Null if none.' },
  ],
  'A reference or null stays a choice': [
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
    { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] },
  ],
  'A choice that has more than a scalar and null stays': [
    { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
  ],
  'A text in one of two formats is a text': [
    {
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    },
    { type: 'string' },
  ],
  'A default is no keyword, but a member with that name stays': [
    { properties: { default: { type: 'boolean', default: false } } },
    { properties: { default: { type: 'boolean', 'x-default': false } } },
  ],
};

describe('Descriptions in the words of generators', () => {
  it.for(Object.entries(CASES))('It says the same in other words: %s', ([, [schema, written]]) => {
    expect(portableSchema(schema)).toEqual(written);
    expect(portableSchema(written)).toEqual(written);
  });

  it('Schemas are rewritten wherever a description has them, and data never', () => {
    const schema = { type: 'number' };
    const data = { schema, schemas: { A: schema } };
    const document = (written: Node): Node => ({
      paths: [{ parameters: [{ schema: written, example: data }] }],
      components: { schemas: { A: written }, examples: { a: { value: data } } },
    });
    expect(portable(document(schema))).toEqual(document({ ...schema, format: 'double' }));
  });
});

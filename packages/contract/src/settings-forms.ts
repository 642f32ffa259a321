import { Type } from 'typebox';
import { CURRENCIES } from './currency.js';
import type { SchemaNode } from './schema-node.js';
import { MASK, URL_PATTERN } from './setting-fields.js';
import { Settings } from './settings.js';
import { CURRENCY_PATTERN, type Json } from './shared.js';

/** An authority with a host and without credentials. */
const WHOLE_URL = String.raw`^https?://[^/?#\\@\s]+(?:[/?#]\S*)?$`;

/** The settings as answers show them: masks in place of secrets. */
export const SettingsAnswer = Type.Unsafe<Settings>(rewrite(Settings, shown));

/**
 * The body of PATCH /settings, an RFC 7396 merge patch: null puts a setting back to its default, and
 * lists are replaced. It is held to more than what is stored: a currency may go out of use.
 */
export const SettingsPatch = Type.Unsafe<{ [key: string]: Json }>(patchOf(rewrite(Settings, sent)));
export type SettingsPatch = { [key: string]: Json };

function shown(node: SchemaNode): SchemaNode {
  if (node.writeOnly !== true) return node;
  const description = `${node.description ?? ''} Shown as a mask.`;
  return { type: 'string', pattern: `^${MASK}$`, description, 'x-problem': 'must be a mask' };
}

function sent(node: SchemaNode): SchemaNode {
  if (node.pattern === URL_PATTERN) return { ...node, pattern: WHOLE_URL, format: 'uri' };
  if (node.pattern !== CURRENCY_PATTERN) return node;
  const { pattern, type, ...rest } = node;
  return { ...rest, enum: [...CURRENCIES.keys()] };
}

/** The same schema with every node as `change` has it. */
function rewrite(node: SchemaNode, change: (node: SchemaNode) => SchemaNode): SchemaNode {
  const below = (child: SchemaNode) => rewrite(child, change);
  const { anyOf, properties, patternProperties, items } = node;
  return {
    ...change(node),
    ...(anyOf !== undefined && { anyOf: anyOf.map(below) }),
    ...(properties !== undefined && { properties: mapped(properties, below) }),
    ...(patternProperties !== undefined && { patternProperties: mapped(patternProperties, below) }),
    ...(items !== undefined && { items: below(items) }),
  };
}

/** Members of an object are changed one by one; everything else is replaced. */
function patchOf(node: SchemaNode): SchemaNode {
  if (node.type !== 'object') return completed(node);
  const { required, properties, patternProperties, ...rest } = node;
  const member = (child: SchemaNode) => orNull(patchOf(child));
  return {
    ...rest,
    // To take away what is not there changes nothing (RFC 7396).
    additionalProperties: { type: 'null' },
    ...(properties !== undefined && { properties: mapped(properties, member) }),
    ...(patternProperties !== undefined && {
      patternProperties: mapped(patternProperties, member),
    }),
  };
}

/** What has a default is filled in, in the items of a list as well. */
function completed(node: SchemaNode): SchemaNode {
  const { anyOf, items, properties, required } = node;
  const needed = required?.filter((name) => properties?.[name]?.default === undefined);
  return {
    ...node,
    ...(anyOf !== undefined && { anyOf: anyOf.map(completed) }),
    ...(items !== undefined && { items: completed(items) }),
    ...(needed !== undefined && { required: needed }),
  };
}

function orNull(node: SchemaNode): SchemaNode {
  const { default: put, description, ...rest } = node;
  const about = {
    ...(description !== undefined && { description }),
    ...(put !== undefined && { default: put }),
  };
  const branches = node.anyOf ?? [rest];
  const isNullable = branches.some(({ type }) => type === 'null');
  return isNullable ? node : { anyOf: [...branches, { type: 'null' }], ...about };
}

function mapped(
  table: Readonly<Record<string, SchemaNode>>,
  change: (node: SchemaNode) => SchemaNode,
): Record<string, SchemaNode> {
  return Object.fromEntries(Object.entries(table).map(([name, node]) => [name, change(node)]));
}

import { Type } from 'typebox';
import { CURRENCY_CODES } from './currency.js';
import { SettingsPreview } from './dry-run.js';
import type { SchemaNode } from './schema-node.js';
import { MASK, URL_PATTERN } from './setting-fields.js';
import { Settings } from './settings.js';
import { CURRENCY_PATTERN, type Json } from './shared.js';

/** A URL with a host and without credentials. */
const WHOLE_URL = String.raw`^https?://[^/?#\\@\s]+(?:[/?#]\S*)?$`;

/** The settings in responses, with masked secrets. */
export const SettingsAnswer = Type.Unsafe<Settings>(rewrite(Settings, shown));

const answer = rewrite(Settings, shown);

/** The answer to PATCH /settings: the settings as they are now, or would be. */
export const SettingsChange = Type.Unsafe<Settings & { dry_run?: SettingsPreview }>({
  ...answer,
  properties: { ...answer.properties, dry_run: SettingsPreview },
});

/**
 * The body of PATCH /settings, an RFC 7396 merge patch: null resets a setting to its default, and
 * lists are replaced. It is stricter than the stored form: a stored currency may be withdrawn.
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
  return { ...rest, enum: [...CURRENCY_CODES] };
}

/** Applies `change` to every node of a schema. */
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

/** Makes the members of objects optional and nullable; other values are replaced whole. */
function patchOf(node: SchemaNode): SchemaNode {
  if (node.type !== 'object') return completed(node);
  const { required, properties, patternProperties, ...rest } = node;
  const member = (child: SchemaNode) => orNull(patchOf(child));
  return {
    ...rest,
    // Removing a member that does not exist changes nothing (RFC 7396).
    additionalProperties: { type: 'null' },
    ...(properties !== undefined && { properties: mapped(properties, member) }),
    ...(patternProperties !== undefined && {
      patternProperties: mapped(patternProperties, member),
    }),
  };
}

/** Makes members with a default optional, also in the items of lists. */
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

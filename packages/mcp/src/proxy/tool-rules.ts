import { isMembers, type JsonMembers } from '../json.js';
import type { ToolRule } from './configuration.js';

/** A confidence and where it is from, as `metadata.confidence_source` says it. */
export interface ToolConfidence {
  readonly confidence: number;
  readonly source: 'argument' | 'fixed';
}

/** What the configuration says about tools. */
export class ToolRules {
  readonly #rules: ReadonlyMap<string, ToolRule>;
  /** The beginnings of names that end with `*`, the longest first. */
  readonly #prefixes: readonly string[];

  constructor(tools: Readonly<Record<string, ToolRule>>) {
    this.#rules = new Map(Object.entries(tools));
    this.#prefixes = [...this.#rules.keys()]
      .filter((name) => name.endsWith('*'))
      .map((name) => name.slice(0, -1))
      .sort((a, b) => b.length - a.length);
  }

  /**
   * Whether the calls of a tool are decisions.
   * @param isReadOnly what the server says about the tool, which the configuration overrides
   */
  isDecision(tool: string, isReadOnly: boolean): boolean {
    return this.#first(tool, ({ decision }) => decision) ?? !isReadOnly;
  }

  /**
   * The confidence in a call.
   * @returns a text that says what is wrong if there is none
   */
  confidence(tool: string, input: JsonMembers): ToolConfidence | string {
    const sources = this.#first(tool, ({ confidence }) => confidence) ?? [];
    for (const source of sources) {
      const [, kind, rest = ''] = /^(argument|fixed):(.*)$/s.exec(source) ?? [];
      if (kind === 'fixed') return { confidence: Number(rest), source: kind };
      const value = valueAt(input, rest.split('.'));
      if (value === undefined) continue;
      const confidence = typeof value === 'string' ? readNumber(value) : value;
      if (typeof confidence === 'number' && confidence >= 0 && confidence <= 1) {
        return { confidence, source: 'argument' };
      }
      return `the argument ${rest} is no number from 0 to 1`;
    }
    return sources.length === 0 ? 'no confidence is configured' : 'no confidence is stated';
  }

  /** What the most specific entry says that says anything: the name itself, then its longest beginning. */
  #first<Value>(tool: string, read: (rule: ToolRule) => Value | undefined): Value | undefined {
    const prefixes = this.#prefixes.filter((prefix) => tool.startsWith(prefix));
    for (const name of [tool, ...prefixes.map((prefix) => `${prefix}*`)]) {
      const rule = this.#rules.get(name);
      const value = rule === undefined ? undefined : read(rule);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

function valueAt(input: JsonMembers, path: readonly string[]): unknown {
  let value: unknown = input;
  for (const name of path) {
    if (!isMembers(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/** Some models write numbers as text. */
function readNumber(text: string): number | null {
  return /^(?:0|1)(?:\.[0-9]{1,17})?$/.test(text) ? Number(text) : null;
}

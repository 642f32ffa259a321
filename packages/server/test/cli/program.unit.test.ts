import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '#server/cli/program';
import { commandSections, readCommands } from '../../../../scripts/docs-commands.js';
import { ROOT } from '../support/paths.js';

const PAGE = resolve(ROOT, 'docs/command-line.md');

class Ended extends Error {}

function newProgram(): Command {
  return createProgram((code) => {
    throw new Ended(`exit ${code}`);
  });
}

interface Found {
  readonly name: string;
  readonly command: Command;
}

function commandsOf(parent: Command, prefix = ''): Found[] {
  return parent.commands.flatMap((command) => {
    const name = `${prefix}${command.name()}`;
    const children = commandsOf(command, `${name} `);
    // A group is a command itself if it takes arguments.
    const isGroup = children.length > 0 && command.registeredArguments.length === 0;
    return isGroup ? children : [{ name, command }, ...children];
  });
}

const commands = commandsOf(newProgram());

/** The text on standard error for wrong arguments. */
async function complaintAbout(...args: string[]): Promise<string> {
  const said: string[] = [];
  const program = newProgram();
  const listen = (command: Command): void => {
    command.configureOutput({ writeErr: (text) => void said.push(text) });
    for (const child of command.commands) listen(child);
  };
  listen(program);
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(Ended);
  return said.join('');
}

describe('Command registry', () => {
  it('Every group of commands is registered', () => {
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['serve', 'org list', 'settings set', 'export', 'links review']),
    );
  });

  /** Their standard output belongs to a protocol. */
  const PROTOCOLS = ['mcp', 'mcp-proxy'];

  it.each(commands.filter(({ name }) => !PROTOCOLS.includes(name)))(
    'The command $name has --json beside its output for people',
    ({ command }) => {
      expect(command.options.map(({ long }) => long)).toContain('--json');
    },
  );

  it('The command verify-bundle has the options of the verifier', () => {
    const verifier = readFileSync(resolve(ROOT, 'packages/verifier/src/cli/arguments.ts'), 'utf8');
    const usage = /USAGE = `([^`]*)`/.exec(verifier)?.[1] ?? '';
    const expected = usage.match(/(?<=^ {2})--[a-z-]+/gm)?.filter((option) => option !== '--help');
    const own = commands.find(({ name }) => name === 'verify-bundle')?.command.options;
    expect(own?.map(({ long }) => long).sort()).toEqual(expected?.sort());
  });

  it.each(commands)('The help of $name marks its required options', ({ command }) => {
    const help = command.helpInformation().replaceAll(/\s+/g, ' ');
    const required = command.options.filter(({ mandatory }) => mandatory);
    for (const { description } of required) expect(help).toContain(`${description} (required)`);
    const mode = command.options.find(({ long }) => long === '--mode');
    if (mode?.description.includes('the ledger') === true) {
      expect(help).toContain('required without a key');
      expect(mode.defaultValue).toBeUndefined();
    }
  });

  it('No option takes a secret', () => {
    const secret = /secret|password|token|^--key$/;
    const options = commands.flatMap(({ command }) => command.options.map(({ long }) => long));
    expect(options.filter((long) => secret.test(long ?? ''))).toEqual([]);
  });
});

describe('Command line documentation', async () => {
  const sections = new Map(
    commandSections(await readCommands())
      .split(/^## /m)
      .slice(1)
      .map((text): [string, string] => [text.slice(0, text.indexOf('\n')), text]),
  );

  it('The page has a section for every command and for nothing else', () => {
    expect([...sections.keys()]).toEqual(commands.map(({ name }) => name));
  });

  /** Options that many commands share are described once, above the commands; each command names its own. */
  const COMMON = ['--json', '--help', '--mode', '--org', '--key-file'];

  it('The options that many commands share are described once', () => {
    const page = readFileSync(PAGE, 'utf8');
    expect(COMMON.filter((option) => !page.includes(option))).toEqual([]);
  });

  it.each(commands)('The section lists each option and argument of $name and no other', (found) => {
    const section = sections.get(found.name) ?? '';
    const listed = [...section.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, long]) => long);
    const [, also = ''] = /^Common options: (.*)\.$/m.exec(section) ?? [];
    const common = [...also.matchAll(/`(--[a-z-]+)`/g)].map(([, long]) => long);
    const known = found.command.options.map(({ long }) => long);
    expect([...listed, ...common].sort()).toEqual(known.sort());
    expect(COMMON).toEqual(expect.arrayContaining(common));
    const [usage = ''] = /^Usage: .*$/m.exec(section) ?? [];
    expect(usage).toContain(`decision-ledger ${found.name}`);
    for (const argument of found.command.registeredArguments) {
      expect(usage).toContain(argument.name());
    }
  });
});

describe('Mistyped commands', () => {
  it.each([
    [['improt', 'file'], '(Did you mean import?)'],
    [['key', 'lst'], '(Did you mean list?)'],
    [['import', '--mdoe', 'test', 'file'], '(Did you mean --mode?)'],
    [['settings', 'gett'], '(Did you mean get?)'],
    [['import', '--mode', 'prod', 'file'], 'Allowed choices are live, test.'],
    [['serve', '--port', '70000'], 'A port must be a whole number from 0 to 65535.'],
    [['key', 'create', '--mode', 'test'], "required option '--name <name>' not specified"],
  ])('The mistyped command %j gets a suggestion', async (args, hint) => {
    const complaint = await complaintAbout(...args);
    expect(complaint).toContain(hint);
    expect(complaint).toMatch(/^decision-ledger: /);
  });
});

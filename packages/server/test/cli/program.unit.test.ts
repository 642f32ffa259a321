import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createProgram } from '@decision-ledger/server/cli/program';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
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
    return command.commands.length > 0 ? commandsOf(command, `${name} `) : [{ name, command }];
  });
}

const commands = commandsOf(newProgram());

/** What is written to standard error for arguments that are wrong. */
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

describe('the registry of commands', () => {
  it('holds every group', () => {
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['serve', 'org list', 'settings set', 'export', 'links review']),
    );
  });

  it.each(commands)('gives $name --json beside its output for people', ({ command }) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
  });

  it.each(commands)('marks what $name requires in its help', ({ command }) => {
    const help = command.helpInformation().replaceAll(/\s+/g, ' ');
    const required = command.options.filter(({ mandatory }) => mandatory);
    for (const { description } of required) expect(help).toContain(`${description} (required)`);
    const mode = command.options.find(({ long }) => long === '--mode');
    if (mode?.description.includes('the ledger') === true) {
      expect(help).toContain('required without a key');
      expect(mode.defaultValue).toBeUndefined();
    }
  });

  it('holds no option that takes a secret', () => {
    const secret = /secret|password|token|^--key$/;
    const options = commands.flatMap(({ command }) => command.options.map(({ long }) => long));
    expect(options.filter((long) => secret.test(long ?? ''))).toEqual([]);
  });
});

describe('the page on the command line', () => {
  const page = readFileSync(PAGE, 'utf8');
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((text): [string, string] => [
        text.slice(0, text.indexOf('\n')),
        text.slice(0, text.indexOf('\n## ') + 1 || undefined),
      ]),
  );

  it('has a section for every command, and for nothing else', () => {
    expect([...sections.keys()]).toEqual(commands.map(({ name }) => name));
  });

  it.each(commands)('names each option and argument of $name, and no other', (found) => {
    const section = sections.get(found.name) ?? '';
    const listed = [...section.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, long]) => long);
    const known = found.command.options.map(({ long }) => long);
    expect(listed).toEqual([...known, '--help']);
    const [usage = ''] = /^Usage: .*$/m.exec(section) ?? [];
    expect(usage).toContain(`decision-ledger ${found.name}`);
    for (const argument of found.command.registeredArguments) {
      expect(usage).toContain(argument.name());
    }
  });
});

describe('a command that is mistyped', () => {
  it.each([
    [['improt', 'file'], '(Did you mean import?)'],
    [['key', 'lst'], '(Did you mean list?)'],
    [['import', '--mdoe', 'test', 'file'], '(Did you mean --mode?)'],
    [['settings', 'gett'], '(Did you mean get?)'],
    [['import', '--mode', 'prod', 'file'], 'Allowed choices are live, test.'],
    [['serve', '--port', '70000'], 'A port must be a whole number from 0 to 65535.'],
    [['key', 'create', '--mode', 'test'], "required option '--name <name>' not specified"],
  ])('%j: is answered with what may have been meant', async (args, hint) => {
    const complaint = await complaintAbout(...args);
    expect(complaint).toContain(hint);
    expect(complaint).toMatch(/^decision-ledger: /);
  });
});

// The commands of the command line with their help, for the documentation.
import process from 'node:process';

/** The width that commander assumes if the output is not a terminal. */
const HELP_WIDTH = 80;

/** All commands with their help, in the order of `decision-ledger --help`. */
export async function readCommands() {
  const { createProgram } = await import('#server/cli/program');
  const program = createProgram((code) => process.exit(code));
  return program.commands.flatMap((command) => describeCommand(command, ''));
}

function describeCommand(command, parent) {
  const name = `${parent}${command.name()}`;
  const children = command.commands.flatMap((child) => describeCommand(child, `${name} `));
  // A group is a command itself if it takes arguments.
  if (children.length > 0 && command.registeredArguments.length === 0) return children;
  command.configureHelp({ ...command.configureHelp(), helpWidth: HELP_WIDTH });
  const options = command.options.flatMap(({ short, long }) => [short, long].filter(Boolean));
  const described = splitHelp(command.helpInformation().trim());
  return [{ name, options: [...options, '-h', '--help'], ...described }, ...children];
}

/** Options that many commands share, which the page describes once, by a part of their help. */
const COMMON = [
  /^ {2}--json +print JSON$/,
  /^ {2}-h, --help /,
  /^ {2}--mode <mode> +the ledger; required/,
  /^ {2}--org <name-or-id> +the organisation; required/,
  /^ {2}--key-file <file> +file with an API key, which selects/,
];

/** The help without those options, and their names but `--help`, which every command has. */
function splitHelp(text) {
  const items = text.split(/\n(?! {4})/);
  const isCommon = (item) => COMMON.some((common) => common.test(item.split('\n', 1)[0]));
  const help = items.filter((item) => !isCommon(item)).join('\n');
  const names = items.filter(isCommon).map((item) => /--[a-z-]+/.exec(item)[0]);
  return {
    help: help.replace(/\n+Options:(?=\n\n|$)/, '').trim(),
    common: names.filter((name) => name !== '--help'),
  };
}

/**
 * A section for each command: its help, and the common options that the help leaves out.
 * @returns {string}
 */
export function commandSections(commands) {
  return commands.map(commandSection).join('\n\n');
}

function commandSection({ name, help, common }) {
  const section = `## ${name}\n\n\`\`\`text\n${help}\n\`\`\``;
  if (common.length === 0) return section;
  const names = common.map((option) => `\`${option}\``);
  return `${section}\n\nCommon options: ${names.join(', ')}.`;
}

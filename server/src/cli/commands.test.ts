import { Command } from 'commander';
import { readConfig } from '../app/config.js';
import { registerCommands } from './commands.js';

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const wordsOf = (command: Command): string =>
  command.parent === null ? '' : `${wordsOf(command.parent)} ${command.name()}`;

test('the help of every command has an example', () => {
  let help = '';
  const program = new Command('signpost').configureOutput({ writeOut: (text) => (help += text) });
  registerCommands(program, {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    clock: () => 0,
    monotonicMs: () => 0,
    pause: () => Promise.resolve(),
    randomBytes: (size) => Buffer.alloc(size),
    openStorage: () => Promise.reject(new Error('No help needs the database.')),
    config: () => readConfig({}),
    process,
  });
  const isWithExample = (command: Command) => {
    help = '';
    command.outputHelp();
    return /^Examples?:\n(?: +\$ .*\n)*? +\$ signpost /mu.test(help);
  };

  const leaves = leavesOf(program);

  expect(leaves.length).toBeGreaterThan(10);
  expect(leaves.filter((leaf) => !isWithExample(leaf)).map(wordsOf)).toEqual([]);
});

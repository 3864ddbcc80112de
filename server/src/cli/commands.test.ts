import {
  chosenCommand,
  leavesOf,
  nameOf,
  wholeProgram,
  wordsOf,
} from '../../../test/fixtures/whole-program.js';

/** Matches a line of the examples in help that runs the program, and captures its arguments. */
const EXAMPLE = /^ +\$ (?:\w+=\S+ |.* npx )?signpost (.*)$/gmu;

test('the help of every command without subcommands has examples, and the command accepts them all', async () => {
  let help = '';
  const leaves = leavesOf(wholeProgram((text) => (help += text)));
  expect(leaves.length).toBeGreaterThan(10);
  for (const leaf of leaves) {
    help = '';
    leaf.outputHelp();
    expect(help).toMatch(/^Examples?:$/mu);
    const examples = [...help.matchAll(EXAMPLE)].map(([, line = '']) => line);
    expect([nameOf(leaf), examples.length]).not.toEqual([nameOf(leaf), 0]);
    for (const line of examples) {
      const chosen = await chosenCommand(wordsOf(line)).catch(String);
      expect([line, chosen]).toEqual([line, nameOf(leaf)]);
    }
  }
});

test('the check of examples fails for an option that the command does not have', async () => {
  await expect(chosenCommand(['doctor', '--jsn'])).rejects.toThrow('--jsn');
});

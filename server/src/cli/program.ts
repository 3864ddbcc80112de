import { Command } from 'commander';
import { VERSION } from '../platform/version.js';

const wordsOf = (command: Command): string =>
  command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`;

/** A command whose errors point to its own help, not to that of the whole program. */
class HelpfulCommand extends Command {
  override createCommand(name?: string): HelpfulCommand {
    return new HelpfulCommand(name);
  }

  override copyInheritedSettings(parent: Command): this {
    return super.copyInheritedSettings(parent).showHelpAfterError(`(${wordsOf(this)} --help says more)`);
  }
}

/**
 * The description of a command in lists of commands: the first sentence of its summary or description. Its first letter
 * becomes lower case, as in the descriptions of options, unless it begins with an abbreviation.
 */
function shortDescription(command: Command): string {
  const text = command.summary() || command.description();
  const [sentence = ''] = text.split(/\.(?:\s|$)/u);
  const [first = '', second = ''] = sentence;
  const isAbbreviation = second !== second.toLowerCase();
  return isAbbreviation ? sentence : first.toLowerCase() + sentence.slice(1);
}

/** Replaces "error:" at the start of Commander's errors by "signpost:", with which all other errors begin. */
const outputError = (text: string, write: (text: string) => void) =>
  write(text.replace(/^error: /u, 'signpost: '));

/** The program without its commands. */
export const createProgram = (): Command =>
  new HelpfulCommand('signpost')
    .configureHelp({ subcommandDescription: shortDescription })
    .configureOutput({ outputError })
    .description('Screenshots, PDFs, UK postcodes and usage statistics from a server of your own.')
    .version(VERSION)
    .addHelpText('after', '\nA running server shows its documents at /docs.')
    .showHelpAfterError('(signpost --help lists the commands)')
    .showSuggestionAfterError()
    .exitOverride();

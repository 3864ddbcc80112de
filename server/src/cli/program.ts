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

/** The program without its commands. */
export const createProgram = (): Command =>
  new HelpfulCommand('signpost')
    .description('Screenshots, PDFs, UK postcodes and usage statistics from a server of your own.')
    .version(VERSION)
    .showHelpAfterError('(signpost --help lists the commands)')
    .showSuggestionAfterError()
    .exitOverride();

import { Command } from 'commander';
import { VERSION } from '../platform/version.js';

/** The program before any command is added. */
export const createProgram = () =>
  new Command('signpost')
    .description('Screenshots, PDFs, UK postcodes and usage statistics from a server of your own.')
    .version(VERSION)
    .showHelpAfterError('(the same command with --help says how it is written)')
    .showSuggestionAfterError()
    .exitOverride();

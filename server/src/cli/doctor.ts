import type { Command } from 'commander';
import { findMissingFonts } from '../capture/browser/find-browser.js';
import type { Config } from '../app/config.js';
import { openDirectoryStore } from '../postcodes/directory-store.js';
import { IMPORT_LATEST, oldEditionWords } from '../postcodes/edition-age.js';
import type { Clock } from '../platform/clock.js';
import { ServiceError } from '../platform/errors.js';
import { JSON_OPTION } from './arguments.js';
import { browserFindings, failed, type Finding } from './browser-findings.js';
import type { CliContext } from './cli-context.js';
import { dataFolderFinding, diskFinding, proxyFinding, signUpFinding } from './installation-findings.js';
import { formatCount, print } from './output.js';

export interface DoctorContext extends CliContext {
  config(): Config;
}

async function database(context: DoctorContext): Promise<Finding> {
  const name = 'Database and secret';
  try {
    const { storage, warnings } = await context.openStorage();
    await storage.close();
    const [warning] = warnings;
    return warning === undefined
      ? { name, state: 'works', message: 'the database opens with its secret' }
      : { name, state: 'could be better', message: warning };
  } catch (error) {
    return failed(name, error);
  }
}

/** Whether the whole directory is there, can be read, and is not years behind. */
export async function directoryFinding({ dataDir }: Pick<Config, 'dataDir'>, clock: Clock): Promise<Finding> {
  const name = 'Postcode directory';
  const advice = IMPORT_LATEST;
  const errors: unknown[] = [];
  const store = await openDirectoryStore({ dataDir, onError: (error) => errors.push(error) });
  const { info } = store.current();
  store.close();
  const [error] = errors;
  if (error !== undefined) return { ...failed(name, error), advice };
  const message = `${info.source} ${info.edition}, ${formatCount(info.rows)} postcodes`;
  if (info.isSample) {
    return { name, state: 'could be better', message: `only the sample of ${info.rows} postcodes`, advice };
  }
  if (!info.hasDetails) {
    const older = `${message}; an older version imported it, without codes, areas and history`;
    return { name, state: 'could be better', message: older, advice };
  }
  const old = oldEditionWords(info, clock());
  return old === undefined
    ? { name, state: 'works', message }
    : { name, state: 'could be better', message: `${message}: this edition ${old}`, advice };
}

async function fonts(): Promise<Finding> {
  const name = 'Fonts';
  const missing = await findMissingFonts();
  return missing.length === 0
    ? { name, state: 'works', message: 'emoji and East Asian characters can be shown' }
    : {
        name,
        state: 'could be better',
        message: `no font for ${missing.join(', ')}`,
        advice: 'On Debian or Ubuntu: apt-get install fonts-noto-color-emoji fonts-noto-cjk',
      };
}

const marks = { works: '✔', 'could be better': '!', 'does not work': '✖' } as const;

const formatFindings = (findings: readonly Finding[]) =>
  findings
    .map(
      ({ name, state, message, advice }) =>
        `${marks[state]} ${name}: ${message}\n${advice === undefined || advice === '' ? '' : `    ${advice}\n`}`,
    )
    .join('');

async function examine(context: DoctorContext): Promise<readonly Finding[]> {
  const config = context.config();
  return [
    { name: 'Node.js', state: 'works', message: process.version },
    await dataFolderFinding(config),
    await diskFinding(config),
    await database(context),
    await directoryFinding(config, context.clock),
    ...(await browserFindings(config, context.randomBytes)),
    await fonts(),
    signUpFinding(config),
    proxyFinding(config),
  ];
}

/** Adds `signpost doctor`; it fails where something does not work, not where something could be better. */
export function registerDoctorCommand(program: Command, context: DoctorContext): void {
  program
    .command('doctor')
    .description(
      'say what works and what does not: browser, directory, database, secret, data folder, disk, sign-up, proxies',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  $ signpost doctor\n  $ signpost doctor --json')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(context);
      print(context, json, findings, formatFindings(findings));
      const broken = findings.filter(({ state }) => state === 'does not work').map(({ name }) => name);
      if (broken.length > 0) throw new ServiceError('internal', `This does not work: ${broken.join(', ')}.`);
    });
}

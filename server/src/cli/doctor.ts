import type { Command } from 'commander';
import { readSignUpChoice } from '../accounts/sign-up.js';
import { browserFindings, fontsFinding } from '../app/browser-findings.js';
import type { Config } from '../app/config.js';
import {
  backupFinding,
  dataFolderFinding,
  directoryFinding,
  diskFinding,
  hostsFinding,
  proxyFinding,
  signUpFinding,
  variablesFinding,
} from '../app/installation-findings.js';
import { mailFinding } from '../app/mail-finding.js';
import { networkFinding } from '../app/network-finding.js';
import { NoInstallationError, ServiceError } from '../platform/errors.js';
import { failed, type Finding } from '../platform/finding.js';
import { JSON_OPTION } from './arguments.js';
import type { CliContext } from './cli-context.js';
import { print } from './output.js';

export interface DoctorContext extends CliContext {
  config(): Config;
}

const START =
  'npx signpost start. If there is one elsewhere, set SIGNPOST_DATA_DIR and SIGNPOST_DATABASE_URL as for its server.';

/** Whether the database can be opened, and what operators chose there for sign-up. */
async function examineDatabase(context: DoctorContext) {
  const name = 'Database and secret';
  try {
    const { storage, warnings } = await context.openStorage();
    const isSignUpOpen = await readSignUpChoice(storage).finally(() => storage.close());
    const [warning] = warnings;
    const finding: Finding =
      warning === undefined
        ? { name, state: 'works', message: 'the database opens with its secret' }
        : { name, state: 'could be better', message: warning };
    return { finding, isSignUpOpen };
  } catch (error) {
    const finding: Finding =
      error instanceof NoInstallationError
        ? { name, state: 'could be better', message: 'no installation is set up here yet', advice: START }
        : failed(name, error);
    return { finding, isSignUpOpen: undefined };
  }
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
  const database = await examineDatabase(context);
  return [
    { name: 'Node.js', state: 'works', message: process.version },
    variablesFinding(config),
    await dataFolderFinding(config),
    await diskFinding(config),
    database.finding,
    await backupFinding(config, context.clock()),
    await directoryFinding(config, context.clock),
    ...(await browserFindings(config, context.randomBytes)),
    await networkFinding(config),
    await fontsFinding(),
    signUpFinding(config, config.isSignUpDefault ? database.isSignUpOpen : undefined),
    hostsFinding(config),
    proxyFinding(config),
    await mailFinding(config),
  ];
}

/** Adds `signpost doctor`. It fails if something does not work, but not if something could be better. */
export function registerDoctorCommand(program: Command, context: DoctorContext): void {
  program
    .command('doctor')
    .description(
      'Check what works and what does not: browser, network, directory, database, secret, backups, data folder, disk, sign-up, proxies, mail',
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

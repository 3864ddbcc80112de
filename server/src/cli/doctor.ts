import type { Command } from 'commander';
import { listOperatorEmails } from '../accounts/account-state.js';
import { readSignUpChoice } from '../accounts/sign-up.js';
import { browserFindings } from '../app/browser-findings.js';
import type { Config } from '../app/config.js';
import { collectFindings } from '../app/findings.js';
import { databaseLocation, directoryFinding } from '../app/installation-findings.js';
import { inboxMailFinding, mailFinding } from '../app/mail-finding.js';
import { type McpProgram, mcpFinding } from '../app/mcp-finding.js';
import { networkFinding } from '../app/network-finding.js';
import { runningServerFinding } from '../app/running-server-finding.js';
import { NoInstallationError, ServiceError } from '../platform/errors.js';
import { failedFinding, type Finding } from '../platform/finding.js';
import { JSON_OPTION } from './arguments.js';
import type { CliContext } from './cli-context.js';
import { colouringFor, type Colouring } from './terminal.js';
import { print } from './output.js';

export interface DoctorContext extends CliContext {
  readonly process: Pick<NodeJS.Process, 'execPath' | 'execArgv' | 'argv' | 'env'>;
  config(): Config;
}

const START =
  'npx signpost start. If there is one elsewhere, set SIGNPOST_DATA_DIR and SIGNPOST_DATABASE_URL as for its server.';

/**
 * Checks whether the database opens with its secret. If it does, also reads the operators' e-mails and their choice for
 * sign-up.
 */
async function examineDatabase(context: DoctorContext) {
  const name = 'Database and secret';
  try {
    const { storage, warnings } = await context.openStorage();
    const read = async () => [await readSignUpChoice(storage), await listOperatorEmails(storage.db)] as const;
    const [isSignUpOpen, operators] = await read().finally(() => storage.close());
    const [warning] = warnings;
    const finding: Finding =
      warning === undefined
        ? {
            name,
            state: 'works',
            message: `the database opens with its secret: ${databaseLocation(context.config())}`,
          }
        : { name, state: 'could be better', message: warning };
    return { finding, isSignUpOpen, operators, isInstalled: true };
  } catch (error) {
    const finding: Finding =
      error instanceof NoInstallationError
        ? { name, state: 'could be better', message: 'no installation is set up here yet', advice: START }
        : failedFinding(name, error);
    const isInstalled = !(error instanceof NoInstallationError);
    return { finding, isSignUpOpen: undefined, operators: [], isInstalled };
  }
}

const marks = { works: '✔', 'could be better': '!', 'does not work': '✖' } as const;
const colours = { works: 'green', 'could be better': 'yellow', 'does not work': 'red' } as const;

function formatFinding({ name, state, message, advice = '' }: Finding, colour: Colouring): string {
  const cure = advice === '' ? '' : `    ${advice}\n`;
  return `${colour(colours[state], marks[state])} ${colour('bold', name)}: ${message}\n${cure}`;
}

/** Formats how many checks ended in each state. */
function formatSummary(findings: readonly Finding[], colour: Colouring): string {
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  const parts = [`${count('works')} work`];
  const [better, broken] = [count('could be better'), count('does not work')];
  if (better > 0) parts.push(colour('yellow', `${better} could be better`));
  if (broken > 0) parts.push(colour('red', `${broken} ${broken === 1 ? 'does' : 'do'} not work`));
  return `\n${findings.length} checks: ${parts.join(', ')}\n`;
}

const formatFindings = (findings: readonly Finding[], colour: Colouring) =>
  findings.map((finding) => formatFinding(finding, colour)).join('') + formatSummary(findings, colour);

/** How an assistant would start `signpost mcp` of this installation. */
const mcpProgram = ({ process: { execPath, execArgv, argv, env } }: DoctorContext): McpProgram => ({
  name: '"signpost mcp"',
  command: execPath,
  args: [...execArgv, argv[1] ?? '', 'mcp'],
  env,
});

async function examine(context: DoctorContext): Promise<readonly Finding[]> {
  const config = context.config();
  const database = await examineDatabase(context);
  const findings = await collectFindings(config, {
    nowMs: context.clock(),
    database: () => Promise.resolve([database.finding]),
    directory: () => directoryFinding(config, context.clock),
    captures: () => browserFindings(config, context.randomBytes),
    network: async () => [await networkFinding(config)],
    isSignUpOpen: () => (config.isSignUpDefault ? database.isSignUpOpen : undefined),
    mail: async () => [await mailFinding(config), ...inboxMailFinding(config, database.operators)],
  });
  const mcp: Finding = database.isInstalled
    ? await mcpFinding(config, mcpProgram(context))
    : {
        name: 'MCP',
        state: 'works',
        message: '"signpost mcp" was not started, because it would set up the data folder',
      };
  return [...findings, mcp, ...(await runningServerFinding(config))];
}

/** Adds `signpost doctor`. It fails if something does not work, but not if something could be better. */
export function registerDoctorCommand(program: Command, context: DoctorContext): void {
  program
    .command('doctor')
    .description(
      'Check what works and what does not: browser, captures, memory, network, directory, database, secret, backups, data folder, disk, sign-up, proxies, mail, MCP, and the server that runs on this machine. To see whether pages can be captured, it opens the sites of SIGNPOST_NETWORK_PROBE',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExamples:\n  $ signpost doctor\n  $ signpost doctor --json')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(context);
      print(context, json, findings, formatFindings(findings, colouringFor(context.stdout)));
      const broken = findings.filter(({ state }) => state === 'does not work').map(({ name }) => name);
      if (broken.length > 0) throw new ServiceError('internal', `This does not work: ${broken.join(', ')}.`);
    });
}

import type { Command } from 'commander';
import { listProjects, type Project } from '../accounts/project.js';
import { CLI_ACTOR } from '../audit/audit.js';
import { ACCOUNT_OPTION, JSON_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime, table } from './output.js';
import { requireAccount } from './require-named.js';
import { openServices } from './services.js';

interface OneAccount {
  readonly account: string;
  readonly json?: boolean;
}

interface NewProject extends OneAccount {
  readonly name: string;
}

const projectJson = (project: Project) => ({ name: project.name, createdAt: isoTime(project.createdAtMs) });

/** Adds `signpost project …`. */
export function registerProjectCommands(program: Command, context: CliContext): void {
  const project = program.command('project').description('Make and list the projects of an account.');

  project
    .command('create')
    .description('Make a project, to add keys to.')
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption('--name <name>', 'what to call it')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost project create --account ada@example.org --name "Weather map"',
    )
    .action((options: NewProject) =>
      withInstallation(context, async (installation) => {
        const account = await requireAccount(installation.storage.db, options.account);
        const { accounts } = openServices(context, installation);
        const wanted = { accountId: account.id, name: options.name };
        const created = await accounts.createProject(CLI_ACTOR, wanted);
        const message = `Project "${created.name}" of ${account.email} made.\n`;
        print(context, options.json, { account: account.email, ...projectJson(created) }, message);
      }),
    );

  project
    .command('list')
    .description('List the projects of an account.')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost project list --account ada@example.org')
    .action((options: OneAccount) =>
      withInstallation(context, async ({ storage }) => {
        const account = await requireAccount(storage.db, options.account);
        const projects = await listProjects(storage.db, account.id);
        const message =
          projects.length === 0
            ? `${account.email} has no projects yet.\n`
            : table(
                ['PROJECT', 'CREATED'],
                projects.map(({ name, createdAtMs }) => [name, formatTime(createdAtMs)]),
              );
        print(context, options.json, projects.map(projectJson), message);
      }),
    );
}

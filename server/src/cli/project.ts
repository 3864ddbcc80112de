import type { Command } from 'commander';
import { deleteProject, renameProject } from '../accounts/change-project.js';
import { createProject, listProjects, type Project } from '../accounts/project.js';
import { ACCOUNT_OPTION, JSON_OPTION, WIDE_OPTION } from './arguments.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime, fittingTable } from './output.js';
import { confirmDeletion, YES_OPTION } from './confirm-deletion.js';
import { requireAccount, requireProject } from './require-named.js';
import { openDomain } from './domain-context.js';

interface AccountOptions {
  readonly account: string;
  readonly json?: boolean;
}

interface CreateProjectOptions extends AccountOptions {
  readonly name: string;
}

interface ProjectOptions extends AccountOptions {
  readonly project: string;
}

const PROJECT_OPTION = ['--project <name>', "the project's name"] as const;

const projectJson = (project: Project) => ({ name: project.name, createdAt: isoTime(project.createdAtMs) });

function registerChangeCommands(project: Command, context: CliContext): void {
  project
    .command('rename')
    .description('Give a project another name.')
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption(...PROJECT_OPTION)
    .requiredOption('--name <name>', 'what to call it from now on')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost project rename --account ada@example.org --project "Weather map" --name Weather',
    )
    .action((options: ProjectOptions & CreateProjectOptions) =>
      withInstallation(context, async (installation) => {
        const { db } = installation.storage;
        const account = await requireAccount(db, options.account);
        const { id, name } = await requireProject(db, account, options.project);
        const ownedProject = { accountId: account.id, projectId: id };
        await renameProject(openDomain(context, installation), ownedProject, options.name);
        const renamed = await requireProject(db, account, options.name);
        const message = `Project "${name}" of ${account.email} is now called "${renamed.name}".\n`;
        print(context, options.json, { account: account.email, ...projectJson(renamed) }, message);
      }),
    );

  project
    .command('delete')
    .description(
      'Delete a project and revoke its keys. Their usage stays counted. At a terminal the command asks first, unless you give --yes; without a terminal it needs --yes.',
    )
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption(...PROJECT_OPTION)
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost project delete --account ada@example.org --project "Weather map"',
    )
    .action((options: ProjectOptions & { readonly yes?: boolean }) =>
      withInstallation(context, async (installation) => {
        const { db } = installation.storage;
        const account = await requireAccount(db, options.account);
        const { id, name } = await requireProject(db, account, options.project);
        await confirmDeletion(context, options.yes, `Delete the project "${name}" and revoke its keys?`);
        const ownedProject = { accountId: account.id, projectId: id };
        await deleteProject(openDomain(context, installation), ownedProject);
        const message = `Project "${name}" of ${account.email} deleted.\n`;
        print(context, options.json, { account: account.email, name }, message);
      }),
    );
}

/** Adds `signpost project …`. */
export function registerProjectCommands(program: Command, context: CliContext): void {
  const project = program
    .command('project')
    .description('Make, list, rename and delete the projects of an account.');

  project
    .command('create')
    .description('Make a project, which holds keys.')
    .requiredOption(...ACCOUNT_OPTION)
    .requiredOption('--name <name>', 'what to call it')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost project create --account ada@example.org --name "Weather map"',
    )
    .action((options: CreateProjectOptions) =>
      withInstallation(context, async (installation) => {
        const account = await requireAccount(installation.storage.db, options.account);
        const domain = openDomain(context, installation);
        const newProject = { accountId: account.id, name: options.name, mayExceedMaximum: true };
        const created = await createProject(domain, newProject);
        const message = `Project "${created.name}" of ${account.email} made.\n`;
        print(context, options.json, { account: account.email, ...projectJson(created) }, message);
      }),
    );

  project
    .command('list')
    .description('List the projects of an account.')
    .requiredOption(...ACCOUNT_OPTION)
    .option(...WIDE_OPTION)
    .option(...JSON_OPTION)
    .addHelpText('after', '\nExample:\n  $ signpost project list --account ada@example.org')
    .action((options: AccountOptions & { readonly wide?: boolean }) =>
      withInstallation(context, async ({ storage }) => {
        const account = await requireAccount(storage.db, options.account);
        const projects = await listProjects(storage, account.id);
        const message =
          projects.length === 0
            ? `${account.email} has no projects yet.\n`
            : fittingTable(
                context.stdout,
                ['PROJECT', 'CREATED'],
                projects.map(({ name, createdAtMs }) => [name, formatTime(createdAtMs)]),
                options,
              );
        print(context, options.json, projects.map(projectJson), message);
      }),
    );

  registerChangeCommands(project, context);
}

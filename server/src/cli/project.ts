import type { Command } from 'commander';
import { createProject, listProjects, type Project } from '../accounts/project.js';
import { type CliContext, withInstallation } from './cli-context.js';
import { isoTime, print, formatTime, table } from './output.js';
import { requireAccount } from './require-named.js';

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
    .requiredOption('--account <address>', "the account's e-mail")
    .requiredOption('--name <name>', 'what to call it')
    .option('--json', 'print JSON, for programs')
    .addHelpText(
      'after',
      '\nExample:\n  $ signpost project create --account ada@example.org --name "Weather map"',
    )
    .action((options: NewProject) =>
      withInstallation(context, async ({ storage, clock }) => {
        const account = await requireAccount(storage.db, options.account);
        const created = await createProject(
          storage.db,
          { ...context, clock },
          {
            accountId: account.id,
            name: options.name,
          },
        );
        const words = `Project "${created.name}" of ${account.email} made.\n`;
        print(context, options.json, { account: account.email, ...projectJson(created) }, words);
      }),
    );

  project
    .command('list')
    .description('List the projects of an account.')
    .requiredOption('--account <address>', "the account's e-mail")
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', '\nExample:\n  $ signpost project list --account ada@example.org')
    .action((options: OneAccount) =>
      withInstallation(context, async ({ storage }) => {
        const account = await requireAccount(storage.db, options.account);
        const projects = await listProjects(storage.db, account.id);
        const words =
          projects.length === 0
            ? `${account.email} has no projects yet.\n`
            : table(
                ['PROJECT', 'CREATED'],
                projects.map(({ name, createdAtMs }) => [name, formatTime(createdAtMs)]),
              );
        print(context, options.json, projects.map(projectJson), words);
      }),
    );
}

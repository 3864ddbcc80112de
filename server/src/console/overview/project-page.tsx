import { renameProject } from '../../accounts/change-project.js';
import type { Project } from '../../accounts/project.js';
import { listKeysByProject } from '../../keys/find-keys.js';
import { ConnectionTable } from '../connections/connections-page.js';
import { projectPath, projectPathOf, requireOwnProject } from '../keys/own-key.js';
import { formFields, type FormProblems } from '../layout/form-data.js';
import { Field, Form, Submit } from '../layout/form.js';
import { Timestamp } from '../layout/formatting.js';
import { DoneNotice } from '../layout/notices.js';
import type { SignedInContext } from '../routing/page-context.js';
import { signedInPage } from '../routing/page.js';
import { PeriodChart, UsageFigures } from '../usage/usage-parts.js';
import { usageOfKeys } from './account-usage.js';
import { EndedKeys, KeysTable } from './project-card.js';
import { OVERVIEW } from '../layout/page-layout.js';
import { Facts } from '../layout/facts.js';
import { Actions } from '../layout/actions.js';
import { Card } from '../layout/card.js';

const PATH = '/projects/:projectId';

const DONE = new Map([['renamed', 'The project is renamed.']]);

const RenameCard = ({ project }: { readonly project: Project }) => (
  <Card id="about" title="About this project">
    <Facts facts={[['Made', <Timestamp timeMs={project.createdAtMs} />]]} />
    <Form action={`${projectPath(project.id)}/rename`} class="stack project-form">
      <Field
        name="name"
        label="Name of the project"
        autocomplete="off"
        required
        maxlength={100}
        value={project.name}
      />
      <Submit>Rename</Submit>
    </Form>
  </Card>
);

async function readProject({ user, deps, domain }: SignedInContext, { id: projectId }: Project) {
  const { id: accountId } = user.account;
  const [keys, accountUsage, history, connections] = await Promise.all([
    listKeysByProject(domain, accountId),
    deps.usage.ofAccount(accountId),
    deps.history.ofPeriod('month', { accountId, projectId }),
    deps.oauth.list(accountId),
  ]);
  const { live, ended } = keys.ofProject(projectId);
  return {
    live: live.map(usageOfKeys(accountUsage, deps.defaultLimits).of),
    ended,
    history,
    connections: connections.filter((connection) => connection.projectId === projectId),
  };
}

async function showProject(context: SignedInContext, problems?: FormProblems) {
  const project = await requireOwnProject(context);
  const { live, ended, history, connections } = await readProject(context, project);
  return context.render(
    { crumbs: [OVERVIEW], title: project.name, problems },
    <>
      <div class="page-head">
        <h1 class="project-name">
          <bdi>{project.name}</bdi>
        </h1>
        <Actions
          links={[
            [`${projectPath(project.id)}/keys`, 'Create a key', 'main'],
            [`${projectPath(project.id)}/delete`, 'Delete the project…', 'destructive'],
          ]}
        />
      </div>
      <DoneNotice sentences={DONE} />
      <section aria-labelledby="keys">
        <h2 id="keys">Keys</h2>
        <KeysTable projectName={project.name} usedKeys={live} />
        <EndedKeys projectName={project.name} ended={ended} />
      </section>
      <section aria-labelledby="usage">
        <h2 id="usage">Usage of 30 days</h2>
        {history.keys.length === 0 ? (
          <p class="muted">
            No request yet. Send one with a key of this project, or <a href="/reference">try an operation</a>.
          </p>
        ) : (
          <>
            <UsageFigures counts={history.all} />
            <PeriodChart usage={history} />
            <Actions
              links={[
                [`/usage?project=${encodeURIComponent(project.id)}`, 'Usage by operation, key and time'],
              ]}
            />
          </>
        )}
      </section>
      {connections.length === 0 ? null : (
        <section aria-labelledby="connections">
          <h2 id="connections">Connected assistants</h2>
          <ConnectionTable rows={connections} />
        </section>
      )}
      <RenameCard project={project} />
    </>,
  );
}

/**
 * GET /projects/:projectId: a project's keys, its usage, and the assistants connected to it. POST …/rename: renames the
 * project.
 */
export const projectPages = [
  signedInPage(PATH, { get: (context) => showProject(context) }),
  signedInPage(`${PATH}/rename`, {
    post: async (context) => {
      const project = await requireOwnProject(context);
      const { name } = formFields(context.request.body, ['name']);
      const own = { accountId: context.user.account.id, projectId: project.id };
      await renameProject(context.domain, own, name);
      return context.redirect(`${projectPath(project.id)}?done=renamed`);
    },
    onError: (context, error) => showProject(context, context.problemsOf(error, 'name')),
    leadsTo: projectPathOf,
  }),
];

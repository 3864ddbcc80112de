import { deleteProject } from '../../accounts/change-project.js';
import type { Project } from '../../accounts/project.js';
import { listKeysByProject } from '../../keys/find-keys.js';
import { keyLabel } from '../keys/key-display.js';
import { projectPath, requireOwnProject } from '../keys/own-key.js';
import { formatCount } from '../layout/formatting.js';
import { confirmationPage } from '../routing/confirmation-page.js';
import type { SignedInContext } from '../routing/page-context.js';

const MAX_NAMED = 20;

async function describeLoss({ domain, deps, user }: SignedInContext, { id, name }: Project) {
  const [byProject, connections] = await Promise.all([
    listKeysByProject(domain, user.account.id),
    deps.oauth.list(user.account.id),
  ]);
  const { live } = byProject.ofProject(id);
  const assistants = connections.filter(({ projectId }) => projectId === id);
  return (
    <>
      <p>
        The project <strong>{name}</strong> is deleted. <strong>This cannot be undone.</strong>
      </p>
      {live.length === 0 ? (
        <p>It has no live key, so no program is affected.</p>
      ) : (
        <>
          <p>
            {live.length === 1 ? 'This key is' : `These ${formatCount(live.length)} keys are`} revoked: every
            program that uses {live.length === 1 ? 'it' : 'one of them'} is refused from its next request on.
          </p>
          <ul>
            {live.slice(0, MAX_NAMED).map((key) => (
              <li>{keyLabel(key)}</li>
            ))}
            {live.length > MAX_NAMED ? <li>and {formatCount(live.length - MAX_NAMED)} more</li> : null}
          </ul>
        </>
      )}
      {assistants.length === 0 ? null : (
        <p>
          The connection of {assistants.map(({ clientName }) => clientName).join(', ')} ends with its key.
        </p>
      )}
      <p>The usage of its keys stays counted in your account.</p>
    </>
  );
}

/** GET and POST /projects/:projectId/delete: deletes a project and revokes its keys. */
export const deleteProjectPage = confirmationPage('signedIn', '/projects/:projectId/delete', {
  find: requireOwnProject,
  ask: async (context, project) => ({
    title: `Delete ${project.name}`,
    question: 'Delete this project?',
    button: 'Delete the project',
    backTo: projectPath(project.id),
    children: await describeLoss(context, project),
  }),
  act: async (context, { id: projectId }) => {
    await deleteProject(context.domain, { accountId: context.user.account.id, projectId });
    return context.redirect('/overview?done=project-deleted');
  },
});

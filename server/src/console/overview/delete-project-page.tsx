import { deleteProject } from '../../accounts/change-project.js';
import { listKeysByProject } from '../../keys/find-keys.js';
import { keyLabel } from '../keys/key-display.js';
import { projectPath, requireOwnProject } from '../keys/own-key.js';
import { Confirmation } from '../layout/form.js';
import { formatCount } from '../layout/formatting.js';
import { signedInPage } from '../routing/page.js';

const MAX_NAMED = 20;

/**
 * GET and POST /projects/:projectId/delete: says what is lost, then deletes a project and revokes its keys.
 */
export const deleteProjectPage = signedInPage('/projects/:projectId/delete', {
  get: async (context) => {
    const { id, name } = await requireOwnProject(context);
    const { oauth } = context.deps;
    const { id: accountId } = context.user.account;
    const [byProject, connections] = await Promise.all([
      listKeysByProject(context.domain, accountId),
      oauth.list(accountId),
    ]);
    const { live } = byProject.ofProject(id);
    const assistants = connections.filter(({ projectId }) => projectId === id);
    return context.render(
      { title: `Delete ${name}`, width: 'narrow' },
      <Confirmation
        question="Delete this project?"
        action={`${projectPath(id)}/delete`}
        button="Delete the project"
        backTo={projectPath(id)}
      >
        <p>
          The project <strong>{name}</strong> is deleted. <strong>This cannot be undone.</strong>
        </p>
        {live.length === 0 ? (
          <p>It has no live key, so no program is affected.</p>
        ) : (
          <>
            <p>
              {live.length === 1 ? 'This key is' : `These ${formatCount(live.length)} keys are`} revoked:
              every program that uses {live.length === 1 ? 'it' : 'one of them'} is refused from its next
              request on.
            </p>
            <ul>
              {live.slice(0, MAX_NAMED).map((key) => (
                <li key={key.id}>{keyLabel(key)}</li>
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
      </Confirmation>,
    );
  },
  post: async (context) => {
    const { id: projectId } = await requireOwnProject(context);
    const own = { accountId: context.user.account.id, projectId };
    await deleteProject(context.domain, own);
    return context.redirect('/overview?done=project-deleted');
  },
});

import { findProject } from '../../accounts/project.js';
import type { ReadContext } from '../../audit/domain-context.js';
import { findKey } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields } from '../layout/form-data.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';

export const keyPath = (keyId: number | string): string => `/keys/${encodeURIComponent(keyId)}`;

export const projectPath = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}`;

/** The path of the page about the key whose id is in the request's path: /keys/7 for /keys/7/disable. */
export const keyPathOf = ({ request }: PageContext): string =>
  keyPath(formFields(request.params, ['keyId']).keyId);
export const projectPathOf = ({ request }: PageContext): string =>
  projectPath(formFields(request.params, ['projectId']).projectId);

/** The account's key with this id, which came as a text from an address or a form; undefined if there is none. */
export const findKeyNamed = async (domain: ReadContext, accountId: string, text: string) =>
  /^[1-9]\d{0,9}$/u.test(text) ? findKey(domain, accountId, Number(text)) : undefined;

/** The account's own key with the id in the path, in any state. Throws a ServiceError if there is none. */
export async function requireOwnKey({ request, user, domain }: SignedInContext): Promise<Key> {
  const key = await findKeyNamed(domain, user.account.id, formFields(request.params, ['keyId']).keyId);
  if (key === undefined)
    throw new ServiceError('notFound', 'You have no such key. Yours are in the overview.');
  return key;
}

/** The account's own project with the id in the path. Throws a ServiceError if there is none. */
export async function requireOwnProject({ request, user, domain }: SignedInContext) {
  const { projectId } = formFields(request.params, ['projectId']);
  const project = await findProject(domain, user.account.id, projectId);
  if (project === undefined)
    throw new ServiceError('notFound', 'You have no such project. Yours are in the overview.');
  return project;
}

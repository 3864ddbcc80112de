import { findProject } from '../../accounts/project.js';
import { findKey } from '../../keys/find-keys.js';
import type { Key } from '../../keys/key.js';
import { ServiceError } from '../../platform/errors.js';
import { formFields } from '../layout/form-data.js';
import type { PageContext, SignedInContext } from '../routing/page-context.js';

/** The path of the page of one of the signed-in person's keys. */
export const keyPath = (keyId: number | string): string => `/keys/${encodeURIComponent(keyId)}`;

/** The path of the page of one of the signed-in person's projects. */
export const projectPath = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}`;

/** The path of the page about the key in the request's path, for addresses that only accept a form. */
export const keyPathOf = ({ request }: PageContext): string =>
  keyPath(formFields(request.params, ['keyId']).keyId);
export const projectPathOf = ({ request }: PageContext): string =>
  projectPath(formFields(request.params, ['projectId']).projectId);

/**
 * The key in the request's path, in any state. Another account's key throws the same ServiceError as one that does
 * not exist.
 */
export async function requireOwnKey({ request, user, domain }: SignedInContext): Promise<Key> {
  const { keyId } = formFields(request.params, ['keyId']);
  const key = /^[1-9]\d{0,9}$/u.test(keyId)
    ? await findKey(domain, user.account.id, Number(keyId))
    : undefined;
  if (key === undefined)
    throw new ServiceError('notFound', 'You have no such key. Yours are in the overview.');
  return key;
}

/**
 * The project in the request's path. Another account's project throws the same ServiceError as one that does not
 * exist.
 */
export async function requireOwnProject({ request, user, domain }: SignedInContext) {
  const { projectId } = formFields(request.params, ['projectId']);
  const project = await findProject(domain, user.account.id, projectId);
  if (project === undefined)
    throw new ServiceError('notFound', 'You have no such project. Yours are in the overview.');
  return project;
}

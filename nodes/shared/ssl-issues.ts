import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

/** The field of both credentials with n8n's usual name for it. */
export const ignoreSslField: INodeProperties = {
  displayName: 'Ignore SSL Issues (Insecure)',
  name: 'allowUnauthorizedCerts',
  type: 'boolean',
  default: false,
  description: 'Whether to connect even if SSL certificate validation is not possible',
};

/** Whether to accept any certificate. */
export const ignoresSsl = ({ allowUnauthorizedCerts }: ICredentialDataDecryptedObject): boolean =>
  allowUnauthorizedCerts === true;

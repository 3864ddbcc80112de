import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

/** A field of both credentials, with the name that n8n's own credentials use. */
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

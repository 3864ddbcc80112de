import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

/** The address of a Signpost server and an API key of one of its projects. */
export class SignpostApi implements ICredentialType {
  name = 'signpostApi';

  displayName = 'Signpost API';

  icon = { light: 'file:../icons/signpost.svg', dark: 'file:../icons/signpost.dark.svg' } as const;

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-signpost';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://127.0.0.1:3000',
      required: true,
      placeholder: 'https://signpost.example.com',
      description: 'The address of the Signpost server, as n8n reaches it',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'The key of a project; create an account on the server and add a project to get one',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-Api-Key': '={{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
      url: '/api/usage',
    },
  };
}

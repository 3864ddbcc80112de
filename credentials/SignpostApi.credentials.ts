import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { expressionsField } from '../nodes/shared/credential-expressions';
import { ignoreSslField } from '../nodes/shared/ssl-issues';
import { cleanKey } from '../nodes/shared/values';

/**
 * An n8n expression for the hosts to which the HTTP Request and GraphQL nodes may send the key. They are the Allowed
 * Domains as the user entered them; if there are none, the host of the Base URL without user info and port, because n8n
 * compares only hosts. Empty if that host contains a comma or white space, which n8n would read as two domains. The
 * field with this expression is hidden, because n8n does not test a credential in which a visible field has an
 * expression.
 */
const ENTERED_OR_OWN_HOST =
  '={{ ($self["otherDomains"] || "").trim() || ($self["baseUrl"] || "").trim().replace(/^https?:\\/\\//i, "").replace(/[\\\\\\/?#][^]*$/, "").replace(/^[^]*@/, "").replace(/:\\d+$/, "").replace(/^[^]*[,\\s][^]*$/, "") }}';

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
      description:
        'The address of the Signpost server, as n8n reaches it. Its page /docs/n8n explains the nodes.',
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
    ignoreSslField,
    {
      displayName: 'Allowed HTTP Request Domains',
      name: 'allowedHttpRequestDomains',
      type: 'options',
      options: [
        { name: 'All', value: 'all', description: 'Send the key to any address that the node calls' },
        { name: 'None', value: 'none', description: 'Do not let those nodes use the credential' },
        { name: 'Specific Domains', value: 'domains', description: 'Send the key only to these hosts' },
      ],
      default: 'domains',
      description: 'Where the HTTP Request and GraphQL nodes may send this key',
    },
    {
      displayName: 'Allowed Domains',
      name: 'otherDomains',
      type: 'string',
      default: '',
      placeholder: 'signpost.example.com',
      description: 'Host names, separated by commas. If it is empty, only the host of the Base URL.',
      displayOptions: { show: { allowedHttpRequestDomains: ['domains'] } },
    },
    { displayName: 'Hosts', name: 'allowedDomains', type: 'hidden', default: ENTERED_OR_OWN_HOST },
    expressionsField('["baseUrl", "apiKey"]'),
  ];

  authenticate = async (
    { apiKey }: ICredentialDataDecryptedObject,
    options: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> =>
    await Promise.resolve({ ...options, headers: { ...options.headers, 'X-Api-Key': cleanKey(apiKey) } });
}

import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  IDataObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { RENEW_HEADER } from '../nodes/shared/service';
import { pasted } from '../nodes/shared/values';
import { forget, needsRenewal, renew, isFresh } from './shared/token-renewal';

const handled = new Set<unknown>();

/** Makes n8n renew the credential, store it and try again. */
const renewalWanted = () =>
  Object.assign(new Error('The access token has to be renewed'), { response: { status: 401 } });

const usesRefreshToken = ({ connectWith }: ICredentialDataDecryptedObject) => connectWith !== 'accessToken';

/** The address of a referral service and a token of one of its accounts. */
export class SignpostReferralApi implements ICredentialType {
  name = 'signpostReferralApi';

  displayName = 'Signpost Referral API';

  icon = { light: 'file:../icons/referral.svg', dark: 'file:../icons/referral.dark.svg' } as const;

  documentationUrl = 'https://www.npmjs.com/package/n8n-nodes-signpost';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://127.0.0.1:3000',
      required: true,
      placeholder: 'https://signpost.example.com',
      description: 'The address of the referral service, as n8n reaches it',
    },
    {
      displayName: 'Connect With',
      name: 'connectWith',
      type: 'options',
      options: [
        {
          name: 'Refresh Token (Recommended)',
          value: 'refreshToken',
          description: 'Keeps working: n8n renews the access token by itself',
        },
        {
          name: 'Access Token',
          value: 'accessToken',
          description: 'Works until that token ends, at most 180 minutes after it was made',
        },
      ],
      default: 'refreshToken',
    },
    {
      displayName: 'Refresh Token',
      name: 'refreshToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { connectWith: ['refreshToken'] } },
      description: 'Sign in to the service and copy it from the page /apikeys; treat it like a password',
    },
    {
      displayName: 'Access Token',
      name: 'pastedAccessToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      displayOptions: { show: { connectWith: ['accessToken'] } },
      description: 'Sign in to the service and copy it from the page /apikeys',
    },
    {
      displayName: 'Current Access Token',
      name: 'accessToken',
      type: 'hidden',
      typeOptions: { expirable: true, password: true },
      default: '',
    },
    { displayName: 'Valid To', name: 'validTo', type: 'hidden', default: '' },
    {
      displayName: 'Token Owner',
      name: 'tokenOwner',
      type: 'hidden',
      typeOptions: { password: true },
      default: '',
    },
    {
      // That node renews on any error and then repeats the request, a referral too.
      displayName: 'Allowed HTTP Request Domains',
      name: 'allowedHttpRequestDomains',
      type: 'hidden',
      default: 'none',
    },
  ];

  /** Runs when there is no access token yet, and when the service has refused the one there is. */
  async preAuthentication(
    this: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
  ): Promise<IDataObject> {
    if (usesRefreshToken(credentials)) return (await renew(this, credentials)) ?? {};
    // Where nothing else was pasted since, there is nothing to try again with.
    const { accessToken, pastedAccessToken } = credentials;
    return accessToken === pastedAccessToken
      ? {}
      : { accessToken: pastedAccessToken, validTo: '', tokenOwner: '' };
  }

  authenticate = async (
    credentials: ICredentialDataDecryptedObject,
    options: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => {
    const { [RENEW_HEADER]: renewal, ...headers } = options.headers ?? {};
    if (usesRefreshToken(credentials)) {
      // A renewal that failed is asked for again, by the code that tries the request again.
      if (renewal !== undefined && !(handled.has(renewal) && isFresh(credentials))) {
        handled.add(renewal);
        forget(credentials);
        throw renewalWanted();
      }
      handled.delete(renewal);
      if (needsRenewal(credentials)) throw renewalWanted();
    }
    const token = usesRefreshToken(credentials) ? credentials.accessToken : credentials.pastedAccessToken;
    return await Promise.resolve({
      ...options,
      headers: { ...headers, Authorization: `Bearer ${pasted(token)}` },
    });
  };
}

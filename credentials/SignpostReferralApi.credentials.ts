import type {
  ICredentialDataDecryptedObject,
  ICredentialType,
  IDataObject,
  IHttpRequestHelper,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { expressionsData, expressionsField, hasExpressions } from '../nodes/shared/credential-expressions';
import { RENEW_HEADER } from '../nodes/shared/service';
import { ignoreSslField } from '../nodes/shared/ssl-issues';
import { cleanKey } from '../nodes/shared/values';
import { hasNewToken, needsRenewal, renew } from './shared/token-renewal';

/** JavaScript for a list of field names: the text fields that the user sees, which may contain n8n expressions. */
const ENTERED_FIELDS =
  '["baseUrl", $self["connectWith"] === "accessToken" ? "pastedAccessToken" : "refreshToken"]';

/** Makes an error that makes n8n call `preAuthentication` and then try the request again. */
const renewalError = () =>
  Object.assign(new Error('The access token has to be renewed'), { response: { status: 401 } });

/**
 * The values of the hidden fields for the pasted access token; undefined if that is the current token already, because
 * then there is no other token to try.
 */
const pastedTokenFields = ({ accessToken, pastedAccessToken }: ICredentialDataDecryptedObject) =>
  accessToken === pastedAccessToken
    ? undefined
    : { accessToken: pastedAccessToken, validTo: '', tokenOwner: '' };

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
    ignoreSslField,
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
    expressionsField(ENTERED_FIELDS),
    {
      // The HTTP Request node may not use this credential: it would renew the token after any error and then repeat the
      // request, even one that makes a referral.
      displayName: 'Allowed HTTP Request Domains',
      name: 'allowedHttpRequestDomains',
      type: 'hidden',
      default: 'none',
    },
  ];

  /**
   * n8n runs this if there is no access token yet, if the service has rejected the current one, or if `authenticate`
   * demands a new one. n8n stores the returned values together with the rest of the credential, whose expressions have
   * been replaced by the values for one item. So this returns nothing to store for a credential with expressions: its
   * tokens stay in the memory of this process.
   */
  async preAuthentication(
    this: IHttpRequestHelper,
    credentials: ICredentialDataDecryptedObject,
  ): Promise<IDataObject> {
    const issued = usesRefreshToken(credentials)
      ? await renew(this, credentials)
      : pastedTokenFields(credentials);
    if (issued === undefined) return {};
    if (hasExpressions(credentials) !== true) return { ...issued, ...expressionsData(ENTERED_FIELDS) };
    // n8n sends the request with exactly this object.
    Object.assign(credentials, issued);
    return {};
  }

  authenticate = async (
    credentials: ICredentialDataDecryptedObject,
    options: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => {
    const { [RENEW_HEADER]: renewal, ...headers } = options.headers ?? {};
    if (usesRefreshToken(credentials)) {
      if (renewal !== undefined && !hasNewToken(credentials, renewal)) throw renewalError();
      if (needsRenewal(credentials)) throw renewalError();
    }
    const token = usesRefreshToken(credentials) ? credentials.accessToken : credentials.pastedAccessToken;
    return await Promise.resolve({
      ...options,
      headers: { ...headers, Authorization: `Bearer ${cleanKey(token)}` },
    });
  };
}

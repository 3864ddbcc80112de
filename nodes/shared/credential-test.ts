import type {
  ICredentialDataDecryptedObject,
  ICredentialTestFunctions,
  IDataObject,
  INodeCredentialTestResult,
} from 'n8n-workflow';
import { ERROR_HEADER, FORBIDDEN, readFailure, retryAfter } from './failure';
import { limitMessage } from './request-error';
import { IN_DOCKER, noAnswerWords } from './no-answer';
import { wholeAddress } from './service';
import { ignoresSsl } from './ssl-issues';
import { numberOf, property, textOf } from './values';

const TIMEOUT_MS = 30_000;

/** The request that tests a credential, and how to interpret its response. */
export interface CredentialTest {
  readonly method: 'GET' | 'POST';
  /** The path below the base URL, beginning with a slash. */
  readonly path: string;
  readonly headers?: IDataObject;
  readonly body?: IDataObject;
  /** Whether a body shows that a Signpost server accepted the credential. */
  readonly isAccepted: (body: unknown) => boolean;
  /** The message if the server rejects the credential. */
  readonly rejectionMessage: (baseUrl: string) => string;
}

const HAS_PATH = /^\w+:\/\/[^/]+\/./u;

const WORKS: INodeCredentialTestResult = { status: 'OK', message: 'Connection successful!' };

const errorResult = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/** The result of the test as n8n shows it below the credential. */
function testResult(test: CredentialTest, baseUrl: string, answer: unknown): INodeCredentialTestResult {
  const status = numberOf(property(answer, 'statusCode')) ?? 0;
  const body = property(answer, 'body');
  const headers = property(answer, 'headers');
  const serverMessage = textOf(property(body, 'error'));
  if (status === 200 && test.isAccepted(body)) return WORKS;
  // The server knows this key, which is only for other operations.
  if (status === 403 && property(headers, ERROR_HEADER.toLowerCase()) === FORBIDDEN) return WORKS;
  if (status >= 300 && status < 400) {
    const location = textOf(property(headers, 'location')) ?? 'another address';
    return errorResult(`${baseUrl} sends requests to ${location}. Enter the final address as Base URL.`);
  }
  if (status >= 500 && serverMessage === undefined)
    return errorResult(`${baseUrl} answers ${status}: is the server behind it running?`);
  if (serverMessage === undefined || status === 200 || status === 404)
    return errorResult(
      `What answers at ${baseUrl} is not a Signpost server. Check the Base URL${HAS_PATH.test(baseUrl) ? ': most have nothing after the host and port' : ''}.`,
    );
  if (status === 401) return errorResult(test.rejectionMessage(baseUrl));
  const nowMs = Date.now();
  const seconds = retryAfter(property(headers, 'retry-after'), nowMs);
  if (status !== 429 || seconds === undefined) return errorResult(serverMessage);
  const waitMs = seconds * 1000;
  return errorResult(limitMessage(serverMessage, { waitMs, nextTryMs: nowMs + waitMs }));
}

/** Says why there is no response from a server, and what to do. */
function noAnswerResult(baseUrl: string, error: unknown): INodeCredentialTestResult {
  const { code, noAnswer, message } = readFailure(error, Date.now());
  const { message: reason, advice } = noAnswerWords(noAnswer);
  if (noAnswer === 'notHttps')
    return errorResult(
      `The server at ${baseUrl} does not speak https. Enter the Base URL with http:// if the server has no certificate.`,
    );
  if (noAnswer === 'invalidKey') return errorResult(`${reason}. ${advice}`);
  if (noAnswer === 'notHttp')
    return errorResult(
      `The server at ${baseUrl} does not speak HTTP. Enter the Base URL with https:// if the server has a certificate, or another port.`,
    );
  if (noAnswer === 'certificate' || noAnswer === 'protected' || noAnswer === 'timeout')
    return errorResult(`${reason} (${baseUrl}, ${code ?? message ?? 'no answer'}). ${advice}`);
  return errorResult(
    `No server can be reached at ${baseUrl} (${code ?? message ?? 'no answer'}). Check the Base URL and that the server runs. ${IN_DOCKER}`,
  );
}

/** Tests a credential. If it does not work, says why and what to do. */
export async function testCredential(
  { helpers }: ICredentialTestFunctions,
  credentials: ICredentialDataDecryptedObject,
  test: CredentialTest,
): Promise<INodeCredentialTestResult> {
  const baseUrl = wholeAddress(credentials.baseUrl);
  if (baseUrl === undefined)
    return errorResult(
      'The Base URL is not a whole address. Enter it with http:// or https://, such as https://signpost.example.com.',
    );
  const { method, path, headers, body } = test;
  try {
    const answer: unknown = await helpers.request({
      method,
      uri: `${baseUrl}${path}`,
      headers: { Accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
      json: true,
      simple: false,
      resolveWithFullResponse: true,
      followRedirect: false,
      ...(ignoresSsl(credentials) ? { rejectUnauthorized: false } : {}),
      timeout: TIMEOUT_MS,
    });
    return testResult(test, baseUrl, answer);
  } catch (error) {
    return noAnswerResult(baseUrl, error);
  }
}

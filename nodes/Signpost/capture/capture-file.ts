import { type IDataObject, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { isRepeatable } from '../../shared/json-request';
import { maximumWaitMs } from '../../shared/pacing';
import { binaryOf, keptInput, type OptionalFields, withResult } from '../../shared/results';
import type { Operation, OperationCall } from '../../shared/operation';
import { type PageBody, pageBody } from './page-source';
import type { ServiceAnswer } from '../../shared/service';
import { entryOf, numberOf, textOf } from '../../shared/values';
import { captureFileName } from '../../shared/file-names';
import { wrongAddress } from '../../shared/wrong-address';

const DEFAULT_LIMIT_MS = 30_000;
/** One time limit for the capture, four for those before it in the queue, and one to send the file. */
const LIMITS_IN_TIMEOUT = 6;
/**
 * The timeout of the request for a capture: LIMITS_IN_TIMEOUT times the time limit in the request, or times
 * DEFAULT_LIMIT_MS if that is longer.
 */
export const captureTimeoutMs = ({ timeoutMs }: IDataObject): number =>
  LIMITS_IN_TIMEOUT * Math.max(DEFAULT_LIMIT_MS, numberOf(timeoutMs) ?? 0);

/** The default for the largest file that goes into JSON, in kilobytes of 1,024 bytes. */
export const DEFAULT_JSON_KILOBYTES = 1024;

export interface CaptureKind {
  /** The header with the duration of the capture. */
  readonly timeHeader: string;
  readonly extension: 'png' | 'pdf';
}

interface CapturedFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
  readonly fileName: string;
}

/** File extensions of picture formats other than PNG. */
const EXTENSIONS: Readonly<Record<string, string>> = { jpeg: 'jpg', webp: 'webp' };
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp'];

function fileOf(
  call: OperationCall,
  { body, headers, baseUrl }: ServiceAnswer,
  fileName: string,
  kind: CaptureKind,
): CapturedFile {
  const mimeType = (textOf(headers['content-type']) ?? '').split(';')[0] ?? '';
  const isOfKind = kind.extension === 'pdf' ? mimeType === 'application/pdf' : IMAGE_TYPES.includes(mimeType);
  if (!isOfKind || (!Buffer.isBuffer(body) && !(body instanceof ArrayBuffer)))
    throw wrongAddress(call.context.getNode(), baseUrl, 'answered without a file', call.itemIndex);
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  return { bytes, mimeType, fileName };
}

/** Decodes a percent-encoded text. Returns it unchanged if it is not valid. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The JSON fields for counts that only some responses have, each with its header. */
const COUNTS = [
  ['pageCount', 'x-page-count'],
  ['pageHeight', 'x-page-height'],
  ['pageParts', 'x-page-parts'],
] as const;

/** The JSON fields for remarks that only some responses have, each with its header. */
const REMARKS = [
  ['pageRest', 'x-page-rest'],
  ['missingFonts', 'x-missing-fonts'],
  ['marginsOverridden', 'x-margins-overridden'],
] as const;

/** The JSON fields that describe a captured file, in whichever form the item has the file. */
function describeFile(
  url: string | undefined,
  { bytes, mimeType, fileName }: CapturedFile,
  headers: IDataObject,
  timeHeader: string,
): IDataObject {
  const counts = COUNTS.flatMap(([name, header]) => {
    const count = numberOf(headers[header]);
    return count === undefined ? [] : [[name, count] as const];
  });
  const remarks = REMARKS.flatMap(([name, header]) => {
    const remark = textOf(headers[header]);
    return remark === undefined ? [] : [[name, remark] as const];
  });
  return {
    ...(url === undefined ? {} : { url }),
    fileName,
    mimeType,
    fileSizeBytes: bytes.length,
    captureTimeMs: numberOf(headers[timeHeader]) ?? null,
    pageStatus: numberOf(headers['x-page-status']) ?? null,
    pageUrl: textOf(headers['x-page-url']) ?? null,
    pageTitle: decoded(textOf(headers['x-page-title'])) ?? null,
    ...Object.fromEntries<IDataObject[string]>([...counts, ...remarks]),
    ...(headers['x-capture-complete'] === 'false' ? { isComplete: false } : {}),
  };
}

function inJson(call: OperationCall, form: unknown, { bytes, mimeType }: CapturedFile): IDataObject {
  const maxKilobytes = numberOf(call.options.maximumJsonKilobytes) ?? DEFAULT_JSON_KILOBYTES;
  if (bytes.length > maxKilobytes * 1024)
    throw new NodeOperationError(
      call.context.getNode(),
      `The file has ${Math.ceil(bytes.length / 1024)} KB, more than the ${maxKilobytes} KB that may go into the JSON`,
      {
        itemIndex: call.itemIndex,
        description:
          'Choose JPEG or a smaller window, raise Options > JSON Limit (Kilobytes), or set Output to Binary File.',
      },
    );
  const base64 = bytes.toString('base64');
  return form === 'base64' ? { base64 } : { dataUrl: `data:${mimeType};base64,${base64}` };
}

/**
 * Chooses the name of the item's file. Call it before anything is awaited, so that the numbers in names follow the
 * order of the items.
 */
function takeName({ fileNames, options }: OperationCall, { body, fileStem }: PageBody, kind: CaptureKind) {
  const { format, url } = body;
  const extension = `.${kind.extension === 'png' ? (EXTENSIONS[textOf(format) ?? ''] ?? 'png') : 'pdf'}`;
  const chosen =
    entryOf(options.fileName) ?? (fileStem === undefined ? undefined : `${fileStem}${extension}`);
  return fileNames.take(captureFileName(chosen, textOf(url) ?? '', extension));
}

const OPTIONAL_FIELDS: readonly OptionalFields[] = [
  {
    always: 'captureTimeMs',
    sometimes: ['binaryField', 'isComplete', ...[...COUNTS, ...REMARKS].map(([name]) => name)],
  },
];

/** Captures the page of one item and returns an item with the file in the form that the user chose. */
export async function captureFile(
  call: OperationCall,
  { path, fields }: Pick<Required<Operation>, 'path' | 'fields'>,
  kind: CaptureKind,
): Promise<INodeExecutionData[]> {
  const { context, client, itemIndex } = call;
  const page = pageBody(call, fields);
  const url = textOf(page.body.url);
  const fileName = takeName(call, page, kind);
  const input = keptInput(call);
  const body = await page.bodyToSend();
  const answer = await client.send(
    {
      method: 'POST',
      path,
      body,
      isBinary: true,
      isRepeatable: isRepeatable(body),
      timeoutMs: captureTimeoutMs(body),
    },
    { itemIndex, maximumWaitMs: maximumWaitMs(call) },
  );
  const file = fileOf(call, answer, fileName, kind);
  const about = describeFile(url, file, answer.headers, kind.timeHeader);
  const pairedItem = { item: itemIndex };
  const form = context.getNodeParameter('output', itemIndex, 'binary');
  if (form !== 'binary') {
    const json = withResult(call, input.json, { ...about, ...inJson(call, form, file) }, OPTIONAL_FIELDS);
    return [{ json, ...binaryOf(input.files), pairedItem }];
  }
  const field = entryOf(context.getNodeParameter('binaryPropertyName', itemIndex, 'data')) ?? 'data';
  const captured = await context.helpers.prepareBinaryData(file.bytes, file.fileName, file.mimeType);
  return [
    {
      json: withResult(call, input.json, { ...about, binaryField: field }, OPTIONAL_FIELDS),
      binary: { ...input.files, [field]: captured },
      pairedItem,
    },
  ];
}

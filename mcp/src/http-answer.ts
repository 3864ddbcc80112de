/** What came back, whatever its status: header names in lower case, the body as it was sent. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The body as JSON, or undefined where it is none. */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The media type without its parameters, in lower case; empty where the answer names none. */
export function mediaTypeOf({ headers }: HttpAnswer): string {
  return (headers['content-type'] ?? '').replace(/;.*$/su, '').trim().toLowerCase();
}

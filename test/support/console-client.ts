type Headers = Readonly<Record<string, string>>;

/** A browser without a screen: cookies are kept, redirects are not followed, forms are sent with their token. */
export class ConsoleClient {
  readonly cookies = new Map<string, string>();

  constructor(readonly url: string) {}

  async get(path: string, headers: Headers = {}): Promise<Response> {
    return this.#send(path, { headers });
  }

  /** Sends the fields of a form on a page, as a browser that got the page just now. */
  async submit(
    page: string,
    fields: Readonly<Record<string, string>>,
    action = page,
    headers: Headers = {},
  ): Promise<Response> {
    const html = await (await this.get(page)).text();
    const token = /name="_csrf" value="([^"]+)"/u.exec(html)?.[1];
    if (token === undefined) throw new Error(`There is no form on ${page}:\n${html}`);
    return this.post(action, { _csrf: token, ...fields }, headers);
  }

  /** Sends fields to a path without looking at a page before. */
  async post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Headers = {},
  ): Promise<Response> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async signIn(email: string, password: string): Promise<Response> {
    return this.submit('/signin', { email, password });
  }

  async #send(
    path: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { readonly headers: Headers },
  ) {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, ...(cookie === '' ? {} : { Cookie: cookie }) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1);
      const [name = '', value = ''] = pair.split('=', 2);
      if (value === '' || /expires=Thu, 01 Jan 1970/iu.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }
}

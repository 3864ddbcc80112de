import type { variables } from './config.js';

type VariableName = keyof (typeof variables)['shape'];

/** The purpose of a variable, and a description of its default if the schema does not hold it. */
interface VariableText {
  readonly text: string;
  readonly usual?: string;
}

/** The texts of docs/reference/variables.md, in the groups of that page. @public */
export const VARIABLE_TEXTS = {
  'Address and network': {
    SIGNPOST_HOST: { text: 'The address that the server listens on. `0.0.0.0` lets other machines in.' },
    SIGNPOST_PORT: { text: 'The port. `0` takes any free port.' },
    SIGNPOST_PUBLIC_URL: {
      text: 'The address that callers and browsers use, such as `https://signpost.example`. Access tokens name it as their issuer. With https, cookies are sent over https only.',
    },
    SIGNPOST_ALLOWED_HOSTS: {
      text: 'More host names by which the server may be called. IP addresses, `localhost`, names without a dot, and the host of `SIGNPOST_PUBLIC_URL` always work. Requests for any other name get 421, except for `/healthz` and `/readyz`. `*` allows every name.',
    },
    SIGNPOST_TRUST_PROXY: {
      text: 'The addresses of your reverse proxies. Their `X-Forwarded-For` and `X-Request-Id` headers are believed.',
    },
    SIGNPOST_STOP_DELAY_MS: {
      text: 'How long a server that was told to stop goes on answering, in milliseconds. Meanwhile `/readyz` answers 503, so that a load balancer sends no more requests.',
    },
  },
  'Data and secret': {
    SIGNPOST_DATA_DIR: {
      usual: '`./data` in a checkout, else [a folder of the user](files.md)',
      text: 'The data folder. Only one server may use it at a time, unless the data is in PostgreSQL.',
    },
    SIGNPOST_DATABASE_URL: {
      usual: 'SQLite in the data folder',
      text: 'The PostgreSQL database that holds the data. Several servers may share it.',
    },
    SIGNPOST_SECRET: {
      usual: 'a file, made at the first start',
      text: 'The secret that protects stored keys and tokens: at least 32 random characters. Required with `SIGNPOST_DATABASE_URL`, and the same on every server.',
    },
    SIGNPOST_SECRET_FILE: { text: 'A file that holds the secret, instead of `SIGNPOST_SECRET`.' },
    SIGNPOST_DIRECTORY_SEARCH_URL: {
      text: 'Where `signpost postcodes import latest` looks for the newest postcode directory.',
    },
  },
  'Limits and accounts': {
    SIGNPOST_RATE_PER_MINUTE: { text: 'Requests per minute of a key that has no limit of its own.' },
    SIGNPOST_RATE_PER_DAY: { text: 'Requests per day (UTC) of a key that has no limit of its own.' },
    SIGNPOST_ACCOUNT_RATE_PER_MINUTE: {
      text: 'Requests per minute of all keys of an account together, unless the account has its own limit.',
    },
    SIGNPOST_ACCOUNT_RATE_PER_DAY: {
      text: 'Requests per day (UTC) of all keys of an account together, unless the account has its own limit.',
    },
    SIGNPOST_SIGNUP: {
      usual:
        '`open` if only this machine can reach the server, else `closed`; operators can change it in the console',
      text: '`open`: anyone who can reach the server may make an account. `closed`: only operators make accounts. If it is set, the console cannot change it.',
    },
    SIGNPOST_OPERATOR_SECOND_FACTOR: {
      text: '`required`: operators must set up a second factor before they see the pages for operators.',
    },
  },
  'Contact and mail': {
    SIGNPOST_CONTACT: {
      text: 'Your e-mail address, or the address of a web page. Every page of the console shows it, so that people know where to ask.',
    },
    SIGNPOST_SMTP_URL: {
      text: 'The mail server that [mail](../how-to/send-mail.md) is sent through. Without it, links are shown to operators only.',
    },
    SIGNPOST_MAIL_FROM: { text: 'The sender of the mail. Required with `SIGNPOST_SMTP_URL`.' },
  },
  Captures: {
    SIGNPOST_CAPTURE_CONCURRENCY: {
      usual: 'the number of processor cores, or 2 for each remote browser',
      text: 'How many captures run at the same time.',
    },
    SIGNPOST_CAPTURE_QUEUE: {
      usual: '4 × the captures at the same time',
      text: 'How many captures may wait. More are answered 503 at once.',
    },
    SIGNPOST_CAPTURES_PER_ACCOUNT: {
      usual: 'all but one; all while only one account is enabled',
      text: 'How many captures of one account run at the same time on each server. One account may also fill half of the queue.',
    },
    SIGNPOST_CAPTURE_TIMEOUT_MS: { text: 'How long one capture may take, in milliseconds.' },
    SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS: { text: 'The greatest height of a full page, in pixels.' },
    SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES: { text: 'The greatest size of a picture or PDF, in MB.' },
    SIGNPOST_CAPTURE_MEMORY_MEGABYTES: {
      text: 'The memory that one capture may use, in MB. Works on Linux, with the browser that Signpost starts.',
    },
    SIGNPOST_CACHE_MEGABYTES: {
      text: 'The memory for captures that are kept because of `maxAgeSeconds`, in MB, on each server.',
    },
    SIGNPOST_ALLOW_ADDRESSES: {
      text: 'Addresses or networks that captures may reach although they are not public.',
    },
    SIGNPOST_BLOCK_LISTS: {
      text: 'Files with filter lists for `blockAds`, in addition to the built-in list.',
    },
    SIGNPOST_NETWORK_PROBE: {
      text: 'Names that the server looks up if a capture fails for lack of network, to tell [its own network](../explanation/failures.md#the-network) from a wrong address. If the server only captures pages of your own network, name hosts of that network here. `off`: the network never counts as down.',
    },
  },
  Browser: {
    SIGNPOST_BROWSER_PATH: {
      usual: 'found',
      text: 'The program of the browser. No other is looked for then.',
    },
    SIGNPOST_BROWSER_WITHOUT_SANDBOX: {
      text: '`yes` starts the browser without its sandbox. Use it only if you trust every page that is captured.',
    },
    SIGNPOST_BROWSER_ENDPOINTS: {
      text: '[Remote browsers](../how-to/remote-browsers.md), instead of one that Signpost starts.',
    },
    SIGNPOST_GUARD_ADDRESS: {
      usual: 'loopback',
      text: 'The address of this server at which remote browsers reach the network. Required if a browser runs on another machine.',
    },
  },
  'Logs and metrics': {
    SIGNPOST_LOG_LEVEL: {
      text: 'How much is logged. `debug` also logs each request with the address of its caller, even if the access log is off. The signal `SIGUSR2` switches to `debug` and back while the server runs.',
    },
    SIGNPOST_ACCESS_LOG: {
      text: '`on` logs one line for each request. Needs the log level `info` or `debug`.',
    },
    SIGNPOST_METRICS_TOKEN: { text: 'The token with which other machines may read `/metrics`.' },
  },
  'MCP server': {
    SIGNPOST_MCP_ALLOWED_HOSTS: {
      text: 'The same as `SIGNPOST_ALLOWED_HOSTS`, from the time when only `/mcp` checked the host. Both lists count.',
    },
    SIGNPOST_MCP_ALLOWED_ORIGINS: { text: 'Origins of web pages that may call `/mcp`.' },
    SIGNPOST_MCP_OUTPUT_DIR: {
      usual: '`signpost` in your downloads folder',
      text: 'Where `signpost mcp` saves captures.',
    },
  },
} satisfies Record<string, Partial<Record<VariableName, VariableText>>>;

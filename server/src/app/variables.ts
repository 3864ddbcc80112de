import { LIMITS } from '@signpost/contract';
import { z } from 'zod';
import { aboutVariables } from './about-variables.js';
import {
  browserEndpoints,
  captureMegabytes,
  captureQuota,
  contact,
  databaseUrl,
  directorySearchUrl,
  file,
  files,
  guardAddress,
  host,
  mailFrom,
  hostList,
  mcpOrigins,
  networks,
  noProxyList,
  outboundProxy,
  probeNames,
  publicUrl,
  rate,
  smtpUrl,
  trustedNetworks,
  wholeNumber,
  yesOrNo,
} from './config-values.js';

/**
 * Every SIGNPOST_ variable that the server reads: its schema with its default, and its description. An empty value
 * counts as unset. The order is that of docs/reference/variables.md.
 */
export const variables = z.object({
  SIGNPOST_HOST: host.default('127.0.0.1').register(aboutVariables, {
    group: 'Address and network',
    description: 'The address that the server listens on. `0.0.0.0` lets other machines in.',
  }),
  SIGNPOST_PORT: wholeNumber(0, 65_535).default(3000).register(aboutVariables, {
    group: 'Address and network',
    description: 'The port. `0` takes any free port.',
  }),
  SIGNPOST_PUBLIC_URL: publicUrl.optional().register(aboutVariables, {
    group: 'Address and network',
    description:
      'The address that callers and browsers use, such as `https://signpost.example`. Access tokens name it as their issuer. With https, cookies are sent over https only.',
  }),
  SIGNPOST_ALLOWED_HOSTS: hostList.default([]).register(aboutVariables, {
    group: 'Address and network',
    description:
      'More host names by which the server may be called. IP addresses, `localhost`, names without a dot, and the host of `SIGNPOST_PUBLIC_URL` always work. Requests for any other name get 421, except for `/healthz` and `/readyz`. `*` allows every name.',
  }),
  SIGNPOST_TRUST_PROXY: trustedNetworks.default([]).register(aboutVariables, {
    group: 'Address and network',
    description:
      'The addresses of your reverse proxies. Their `X-Forwarded-For` and `X-Request-Id` headers are believed.',
  }),
  SIGNPOST_STOP_DELAY_MS: wholeNumber(0, 600_000).default(0).register(aboutVariables, {
    group: 'Address and network',
    description:
      'How long a server that was told to stop goes on answering, in milliseconds. Meanwhile `/readyz` answers 503, so that a load balancer sends no more requests.',
  }),
  SIGNPOST_OUTBOUND_PROXY: outboundProxy.optional().register(aboutVariables, {
    group: 'Outgoing requests',
    isSecret: true,
    description:
      'The [proxy](../how-to/company-networks.md) through which pages, imports and mail go out: an http or https address, with user and password if it asks for them.',
  }),
  SIGNPOST_OUTBOUND_PROXY_FILE: file.optional().register(aboutVariables, {
    group: 'Outgoing requests',
    description: 'A file that holds `SIGNPOST_OUTBOUND_PROXY`.',
  }),
  SIGNPOST_OUTBOUND_NO_PROXY: noProxyList.default([]).register(aboutVariables, {
    group: 'Outgoing requests',
    description:
      'Names with their subdomains, addresses and networks that are reached without that proxy. The rules for pages hold for them too.',
  }),
  SIGNPOST_OUTBOUND_PROXY_RESOLVES: yesOrNo.default(false).register(aboutVariables, {
    group: 'Outgoing requests',
    description:
      '`yes` leaves names to that proxy, if only it can resolve them. [What the guard then does not see](../../SECURITY.md#behind-a-proxy).',
  }),
  SIGNPOST_EXTRA_CA_FILE: file.optional().register(aboutVariables, {
    group: 'Outgoing requests',
    description:
      'A file with certificates in PEM, which pages, imports, mail and PostgreSQL trust beside the public ones. The browser needs the program `certutil` for it.',
  }),
  SIGNPOST_DATA_DIR: z.string().optional().register(aboutVariables, {
    group: 'Data and secret',
    defaultText: '`./data` in a checkout, else [a folder of the user](files.md)',
    description: 'The data folder. Only one server may use it at a time, unless the data is in PostgreSQL.',
  }),
  SIGNPOST_DATABASE_URL: databaseUrl.optional().register(aboutVariables, {
    group: 'Data and secret',
    defaultText: 'SQLite in the data folder',
    isSecret: true,
    description: 'The PostgreSQL database that holds the data. Several servers may share it.',
  }),
  SIGNPOST_DATABASE_URL_FILE: file.optional().register(aboutVariables, {
    group: 'Data and secret',
    description: 'A file that holds `SIGNPOST_DATABASE_URL`, such as a secret of a container.',
  }),
  SIGNPOST_SECRET: z.string().optional().register(aboutVariables, {
    group: 'Data and secret',
    defaultText: 'a file, made at the first start',
    isSecret: true,
    description:
      'The secret that protects stored keys and tokens: at least 32 random characters. Required with `SIGNPOST_DATABASE_URL`, and the same on every server.',
  }),
  SIGNPOST_SECRET_FILE: z.string().optional().register(aboutVariables, {
    group: 'Data and secret',
    description: 'A file that holds the secret, instead of `SIGNPOST_SECRET`.',
  }),
  SIGNPOST_DIRECTORY_SEARCH_URL: directorySearchUrl
    .default('https://www.arcgis.com/sharing/rest/search')
    .register(aboutVariables, {
      group: 'Data and secret',
      description: 'Where `signpost postcodes import latest` looks for the newest postcode directory.',
    }),
  SIGNPOST_RATE_PER_MINUTE: rate.default(LIMITS.freeTier.requestsPerMinute).register(aboutVariables, {
    group: 'Limits and accounts',
    description: 'Requests per minute of a key that has no limit of its own.',
  }),
  SIGNPOST_RATE_PER_DAY: rate.default(LIMITS.freeTier.requestsPerDay).register(aboutVariables, {
    group: 'Limits and accounts',
    description: 'Requests per day (UTC) of a key that has no limit of its own.',
  }),
  SIGNPOST_ACCOUNT_RATE_PER_MINUTE: rate.default(null).register(aboutVariables, {
    group: 'Limits and accounts',
    description: 'Requests per minute of all keys of an account together, unless it has its own limit.',
  }),
  SIGNPOST_ACCOUNT_RATE_PER_DAY: rate.default(null).register(aboutVariables, {
    group: 'Limits and accounts',
    description: 'Requests per day (UTC) of all keys of an account together, unless it has its own limit.',
  }),
  SIGNPOST_SIGNUP: z
    .enum(['open', 'closed'], { error: 'must be "open" or "closed"' })
    .optional()
    .register(aboutVariables, {
      group: 'Limits and accounts',
      defaultText:
        '`open` if only this machine can reach the server, else `closed`; operators can change it in the console',
      description:
        '`open`: anyone who can reach the server may make an account. `closed`: only operators make accounts. If it is set, the console cannot change it.',
    }),
  SIGNPOST_OPERATOR_SECOND_FACTOR: z
    .enum(['optional', 'required'], { error: 'must be "optional" or "required"' })
    .default('optional')
    .register(aboutVariables, {
      group: 'Limits and accounts',
      description:
        '`required`: operators must set up a second factor before they see the pages for operators.',
    }),
  SIGNPOST_CONTACT: contact.optional().register(aboutVariables, {
    group: 'Contact and mail',
    description:
      'Your e-mail address, or the address of a web page. Every page of the console shows it, so that people know where to ask.',
  }),
  SIGNPOST_SMTP_URL: smtpUrl.optional().register(aboutVariables, {
    group: 'Contact and mail',
    isSecret: true,
    description:
      'The mail server that [mail](../how-to/send-mail.md) is sent through. Without it, links are shown to operators only.',
  }),
  SIGNPOST_SMTP_URL_FILE: file.optional().register(aboutVariables, {
    group: 'Contact and mail',
    description: 'A file that holds `SIGNPOST_SMTP_URL`.',
  }),
  SIGNPOST_MAIL_FROM: mailFrom.optional().register(aboutVariables, {
    group: 'Contact and mail',
    description: 'The sender of the mail. Required with `SIGNPOST_SMTP_URL`.',
  }),
  SIGNPOST_CAPTURE_CONCURRENCY: wholeNumber(1, 256).optional().register(aboutVariables, {
    group: 'Captures',
    defaultText:
      '3 × the processor cores, but at most one for each `SIGNPOST_CAPTURE_MEMORY_MEGABYTES` of memory and at least the cores; 2 for each remote browser',
    description:
      'How many captures have a page open at the same time. At most as many of them as there are cores load, scroll or make their file at a time: the others wait for the network or for time.',
  }),
  SIGNPOST_CAPTURE_QUEUE: wholeNumber(0, 10_000).optional().register(aboutVariables, {
    group: 'Captures',
    defaultText:
      '4 × `SIGNPOST_CAPTURE_CONCURRENCY`; if that is unset, what is left of 5 × the cores, or 4 × the slots of remote browsers',
    description: 'How many captures may wait for a slot. More are answered 503 at once.',
  }),
  SIGNPOST_CAPTURES_PER_ACCOUNT: captureQuota.optional().register(aboutVariables, {
    group: 'Captures',
    defaultText: 'all but one; all while only one account is enabled',
    description:
      'How many captures of one account have a slot at the same time on each server. One account may also fill half of the queue.',
  }),
  SIGNPOST_CAPTURE_TIMEOUT_MS: wholeNumber(1_000, 600_000).default(30_000).register(aboutVariables, {
    group: 'Captures',
    description: 'How long one capture may take, in milliseconds.',
  }),
  SIGNPOST_CAPTURE_MAX_HEIGHT_PIXELS: wholeNumber(1_000, 200_000).default(50_000).register(aboutVariables, {
    group: 'Captures',
    description: 'The greatest height of a full page, in pixels.',
  }),
  SIGNPOST_CAPTURE_MAX_RESULT_MEGABYTES: wholeNumber(1, 1_000).default(50).register(aboutVariables, {
    group: 'Captures',
    description: 'The greatest size of a picture or PDF, in MB.',
  }),
  SIGNPOST_CAPTURE_MEMORY_MEGABYTES: captureMegabytes.default(1024).register(aboutVariables, {
    group: 'Captures',
    description: 'The memory of one capture, in MB. Works on Linux, with the browser that Signpost starts.',
  }),
  SIGNPOST_CACHE_MEGABYTES: wholeNumber(1, 100_000).default(256).register(aboutVariables, {
    group: 'Captures',
    description: 'The memory for captures that are kept because of `maxAgeSeconds`, in MB, on each server.',
  }),
  SIGNPOST_ALLOW_ADDRESSES: networks.default([]).register(aboutVariables, {
    group: 'Captures',
    description: 'Addresses or networks that captures may reach although they are not public.',
  }),
  SIGNPOST_BLOCK_LISTS: files.default([]).register(aboutVariables, {
    group: 'Captures',
    description: 'Files with filter lists for `blockAds`, in addition to the built-in list.',
  }),
  SIGNPOST_NETWORK_PROBE: probeNames
    .default(['iana.org', 'example.com', 'wikipedia.org'])
    .register(aboutVariables, {
      group: 'Captures',
      description:
        'Names that the server looks up if a capture fails for lack of network, to tell [its own network](../explanation/failures.md#the-network) from a wrong address. If the server only captures pages of your own network, name hosts of that network here. `off`: the network never counts as down.',
    }),
  SIGNPOST_BROWSER_PATH: z.string().optional().register(aboutVariables, {
    group: 'Browser',
    defaultText: 'found',
    description: 'The program of the browser. No other is looked for then.',
  }),
  SIGNPOST_BROWSER_WITHOUT_SANDBOX: yesOrNo.default(false).register(aboutVariables, {
    group: 'Browser',
    description:
      '`yes` starts the browser without its sandbox. Use it only if you trust every page that is captured.',
  }),
  SIGNPOST_BROWSER_ENDPOINTS: browserEndpoints.default([]).register(aboutVariables, {
    group: 'Browser',
    isSecret: true,
    description: '[Remote browsers](../how-to/remote-browsers.md), instead of one that Signpost starts.',
  }),
  SIGNPOST_GUARD_ADDRESS: guardAddress.optional().register(aboutVariables, {
    group: 'Browser',
    defaultText: 'loopback',
    description:
      'The address of this server at which remote browsers reach the network. Required if a browser runs on another machine.',
  }),
  SIGNPOST_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be one of debug, info, warn, error, silent',
    })
    .default('info')
    .register(aboutVariables, {
      group: 'Logs and metrics',
      description:
        'How much is logged. `debug` also logs each request with the address of its caller, even if the access log is off. The signal `SIGUSR2` switches to `debug` and back while the server runs.',
    }),
  SIGNPOST_LOG_FORMAT: z
    .enum(['json', 'text'], { error: 'must be "json" or "text"' })
    .optional()
    .register(aboutVariables, {
      group: 'Logs and metrics',
      defaultText: '`text` at a terminal, else `json`',
      description: '`json`: one JSON object on each line, for programs. `text`: lines for people.',
    }),
  SIGNPOST_ACCESS_LOG: z
    .enum(['on', 'off'], { error: 'must be "on" or "off"' })
    .default('off')
    .register(aboutVariables, {
      group: 'Logs and metrics',
      description: '`on` logs one line for each request. Needs the log level `info` or `debug`.',
    }),
  SIGNPOST_METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .register(aboutVariables, {
      group: 'Logs and metrics',
      isSecret: true,
      description: 'The token with which other machines may read `/metrics`.',
    }),
  SIGNPOST_METRICS_TOKEN_FILE: file.optional().register(aboutVariables, {
    group: 'Logs and metrics',
    description: 'A file that holds `SIGNPOST_METRICS_TOKEN`.',
  }),
  SIGNPOST_MCP_ALLOWED_HOSTS: hostList.default([]).register(aboutVariables, {
    group: 'MCP server',
    description:
      'The same as `SIGNPOST_ALLOWED_HOSTS`, from the time when only `/mcp` checked the host. Both lists count.',
  }),
  SIGNPOST_MCP_ALLOWED_ORIGINS: mcpOrigins.default([]).register(aboutVariables, {
    group: 'MCP server',
    description: 'Origins of web pages that may call `/mcp`.',
  }),
  SIGNPOST_MCP_OUTPUT_DIR: z.string().optional().register(aboutVariables, {
    group: 'MCP server',
    defaultText: '`signpost` in your downloads folder',
    description: 'Where `signpost mcp` saves captures.',
  }),
});

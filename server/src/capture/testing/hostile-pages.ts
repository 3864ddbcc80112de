import { gzipSync } from 'node:zlib';
import type { Handler, Routes } from './page-server.js';

const html = (body: string) => `<!doctype html><title>hostile</title><body>${body}`;
const script = (code: string) => html(`<script>${code}</script>`);

const answer =
  (status: number, headers: Readonly<Record<string, string>>, body: string | Buffer = ''): Handler =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

const HTML = { 'content-type': 'text/html' };

const neverEndingBody: Handler = (_request, response) => {
  response.writeHead(200, HTML);
  const timer = setInterval(() => response.write('<p>more</p>'), 50);
  response.once('close', () => clearInterval(timer));
};

const neverEndingHeaders: Handler = (_request, { socket }) => {
  socket?.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket?.write('x-more: more\r\n'), 50);
  socket?.once('close', () => clearInterval(timer));
};

const cutOff: Handler = (_request, { socket }) => socket?.destroy();

const noHttp: Handler = (_request, { socket }) => socket?.end('This is not HTTP\r\n\r\n');

/** Two gigabytes of spaces in two megabytes. */
const bomb = () => {
  const part = gzipSync(Buffer.alloc(64_000_000, ' '));
  return Buffer.concat(Array.from({ length: 32 }, () => part));
};

/** Pages that mean no good, or do badly what they mean, by their path. */
export const hostilePages = (): Routes => ({
  '/alert-loop': script('for(;;)alert(1)'),
  '/prompt-loop': script('for(;;)prompt(1)'),
  '/confirm-once': script('document.title=String(confirm("?"))'),
  '/beforeunload': script(
    'addEventListener("beforeunload",(event)=>{event.preventDefault();event.returnValue="stay"})',
  ),
  '/print': script('print();onload=()=>print()'),
  '/endless-script': script('for(;;);'),
  '/endless-script-after-load': script('onload=()=>setTimeout(()=>{for(;;);},0)'),
  '/endless-frames': script(
    '(function next(){const end=Date.now()+200;while(Date.now()<end);requestAnimationFrame(next)})()',
  ),
  '/million-nodes': script(
    'for(let i=0;i<1e6;i++)document.body.appendChild(document.createElement("i")).textContent=i',
  ),
  '/giant-canvas': script(
    'const c=document.body.appendChild(document.createElement("canvas"));c.width=c.height=16000;c.getContext("2d").fillRect(0,0,16000,16000)',
  ),
  '/many-canvases': script(
    'for(let i=0;i<300;i++){const c=document.body.appendChild(document.createElement("canvas"));c.width=c.height=2000;c.getContext("2d").fillRect(0,0,2000,2000)}',
  ),
  '/popups': script('for(let i=0;i<100;i++)open("/popups-child")'),
  '/never-ending-image': html('<img src="/slow?ms=60000">'),
  '/never-ending-body': neverEndingBody,
  '/never-ending-headers': neverEndingHeaders,
  '/never-ending-font': html(
    '<style>@font-face{font-family:f;src:url(/slow?ms=60000)}</style><p style="font-family:f">x',
  ),
  '/heap': script('const kept=[];for(;;)kept.push(new Array(1e6).fill(kept.length))'),
  '/buffers': script('window.kept=[];try{for(let i=0;i<4;i++)kept.push(new Uint8Array(2e9).fill(1))}catch{}'),
  '/redirects': answer(302, { location: '/redirects' }),
  '/script-redirects': script('location.href="/script-redirects?"+Math.random()'),
  '/meta-redirects': html('<meta http-equiv="refresh" content="0;url=/meta-redirects">'),
  '/download': answer(
    200,
    { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' },
    'x',
  ),
  '/no-content': answer(204, {}),
  '/login': answer(401, { ...HTML, 'www-authenticate': 'Basic realm="x"' }, html('log in')),
  '/not-found': answer(404, HTML, html('not found')),
  '/broken': answer(500, HTML, html('broken')),
  '/cut-off': cutOff,
  '/no-http': noHttp,
  '/tall': html('<div style="height:10000000px">'),
  '/gzip-bomb': answer(200, { ...HTML, 'content-encoding': 'gzip' }, bomb()),
  '/frames': html(Array.from({ length: 500 }, () => '<iframe srcdoc="x"></iframe>').join('')),
  '/workers': script('for(let i=0;i<30;i++)new Worker(URL.createObjectURL(new Blob(["for(;;);"])))'),
  '/debugger': script('debugger;onload=()=>{debugger}'),
  '/close': script('onload=()=>{close();setTimeout(close,0)}'),
  '/permissions': script(
    'navigator.geolocation.getCurrentPosition(()=>0,()=>0);Notification.requestPermission();navigator.mediaDevices?.getUserMedia({video:true}).catch(()=>0)',
  ),
  '/history': script('for(let i=0;i<1000;i++)history.pushState({},"","?"+i)'),
  '/overridden': script(
    'requestAnimationFrame=()=>0;Promise=null;Object.defineProperty(document,"fonts",{value:null});setTimeout=()=>0',
  ),
  '/plain': '<!doctype html><body style="margin:0;background:rgb(10,200,30)">',
});

/** A process that calls the API over connections that stay open, as another service does. */
import { Agent, request } from 'node:http';
import { serveParent } from '../../../kit/serve-parent.js';
import { callFor, type CallForOptions, type CallRate } from './call-for.js';
import type { VerbsOf } from './start-bench-process.js';

const FIRST_JOBS = 200;

/** What is called: `GET /livez`, `POST /v1/jobs`, or `GET /v1/jobs/{id}`. */
export type HttpCall = 'livez' | 'enqueue' | 'find';

export interface HttpCallerVerbs {
  open(facts: { readonly port: number; readonly connections: number }): Promise<void>;
  call(facts: CallForOptions & { readonly what: HttpCall }): Promise<CallRate>;
}

let agent: Agent | undefined;
let port = 0;
let lastReceipt = 0;
const ids: string[] = [];

function send(method: 'GET' | 'POST', path: string, expected: number, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers =
      body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        answer.statusCode === expected
          ? resolve(text)
          : reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function enqueue(): Promise<string> {
  const payload = {
    receiptId: `bench-${(lastReceipt += 1)}`,
    email: 'a@example.com',
    amountCents: 4_200,
    currency: 'EUR',
  };
  return send('POST', '/v1/jobs', 202, JSON.stringify({ type: 'send_receipt', payload }));
}

const CALLS: Readonly<Record<HttpCall, () => Promise<unknown>>> = {
  livez: () => send('GET', '/livez', 200),
  enqueue,
  find: () => send('GET', `/v1/jobs/${ids[Math.floor(Math.random() * ids.length)]}`, 200),
};

const verbs: HttpCallerVerbs & VerbsOf<HttpCallerVerbs> = {
  async open({ connections, ...where }) {
    ({ port } = where);
    agent = new Agent({ keepAlive: true, maxSockets: connections });
    const first = await Promise.all(Array.from({ length: FIRST_JOBS }, enqueue));
    ids.push(...first.map((text) => (JSON.parse(text) as { readonly id: string }).id));
    // compiles the other ways through the API
    await Promise.all(Array.from({ length: FIRST_JOBS }, CALLS.find));
  },
  call: ({ what, ...options }) => callFor(options, CALLS[what]),
};

serveParent({ ...verbs }, { isFailureTold: true });

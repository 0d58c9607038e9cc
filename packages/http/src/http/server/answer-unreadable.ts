import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpErrorCode } from '../../http-errors.js';
import { writeProblem } from '../problems/write-problem.js';

/** The code of Node's parser, and the problem for the client. */
const PROBLEMS: Readonly<Record<string, readonly [code: HttpErrorCode, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers of a request are limited to 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['body_too_large', 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
};

/** How long a client may take to close its end. Destroyed at once, the connection would take the answer with it. */
const LINGER_MS = 1_000;

/** Answers what is not HTTP, or not complete, and closes the connection; a client that has gone gets no answer. */
export function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
  const [code, detail] = PROBLEMS[error.code ?? ''] ?? [
    'malformed_request',
    'The request is not HTTP that can be read.',
  ];
  const { status, headers, body } = writeProblem(code, detail, randomUUID());
  const head = Object.entries({
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
}

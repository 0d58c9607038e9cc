import { gunzipSync } from 'node:zlib';
import type { ApiContext } from '../api.js';
import type { PageFile } from './page-file.js';

/** Answers with a file, or with 304 where the client has it; `cacheControl` says for how long it need not ask. */
export function sendFile(c: ApiContext, { type, etag, gzip }: PageFile, cacheControl: string): Response {
  const headers = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' };
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers);
  const bytes = Buffer.from(gzip, 'base64');
  return takesGzip(c)
    ? c.body(new Uint8Array(bytes), 200, { ...headers, 'Content-Type': type, 'Content-Encoding': 'gzip' })
    : c.body(new Uint8Array(gunzipSync(bytes)), 200, { ...headers, 'Content-Type': type });
}

/** Next.js takes the header `Content-Encoding` from what a route handler answers, and compresses by itself. */
function takesGzip({ req }: ApiContext): boolean {
  const isOfNext = 'nextUrl' in req.raw;
  return !isOfNext && /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(req.header('accept-encoding') ?? '');
}

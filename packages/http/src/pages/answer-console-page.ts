import { gunzipSync } from 'node:zlib';
import type { ApiContext } from '../api.js';

/** Files of this server alone are loaded, nothing in the page itself runs, and no request leaves for elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'";

let page: string | undefined;

/**
 * Answers with the console's page. `base` leads from the address of the request to the console's folder: relative, because
 * a proxy or a framework between may have taken away a part of the path that only the browser knows.
 */
export async function answerConsolePage(c: ApiContext, base: string): Promise<Response> {
  page ??= await readPage();
  c.header('Content-Security-Policy', POLICY);
  return c.html(page.replace('<base href="./"', `<base href="${base}"`));
}

async function readPage(): Promise<string> {
  const { consoleFiles } = await import('./generated/console-files.js');
  const { gzip } = consoleFiles.find(({ name }) => name === 'index.html')!;
  return gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8');
}

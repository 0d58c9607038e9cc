import { Agent, request } from 'node:http';
import type { FilledRequest } from './text-places.js';
import type { AnyJson } from './use-test-api.js';

export interface ToldText {
  readonly status: number;
  readonly body: AnyJson;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request with its address as it is, which `fetch` would change. Of a stream only the status is read. */
export function sendText(origin: string, method: string, { address, headers, body }: FilledRequest): Promise<ToldText> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const given = { ...headers, ...(body === null ? {} : { 'Content-Length': Buffer.byteLength(body) }) };
    const sent = request({ hostname, port, method, path: address, headers: given, agent }, (response) => {
      const { statusCode: status = 0, headers: told } = response;
      let text = '';
      const end = (): void =>
        resolve({
          status,
          body: told['content-type']?.includes('json') === true && text !== '' ? JSON.parse(text) : null,
        });
      if (told['content-type']?.startsWith('text/event-stream') === true) {
        end();
        sent.destroy();
        return;
      }
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', end).on('error', reject);
    });
    sent.on('error', reject).end(body ?? undefined);
  });
}

import type { Scope } from '@duework/operate';
import type { Transactable } from '@duework/queue-core';
import type { Principal } from '../../access/principal.js';
import { createQueueHandler, type QueueHandler } from '../../create-queue-handler.js';
import type { AccessRequest } from './access-requests.js';
import type { ApiDocument, DescribedRoute } from './described-routes.js';
import { markedCatalog, MarkedQueue, type MarkedType, paid } from './marked-queue.js';

/** What somebody is answered. */
export interface Told {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  /** What the request was about, where its path names something. */
  readonly params: Readonly<Record<string, string>>;
}

/** Whoever asks: by these scopes, and for these types. */
export type Asker = Pick<Principal, 'scopes' | 'types'>;

/** An API over a database in which marked values are, asked as whoever the test likes. */
export class MarkedApi {
  readonly queue: MarkedQueue;
  readonly #handle: QueueHandler;

  constructor(db: Transactable) {
    this.queue = new MarkedQueue(db);
    this.#handle = createQueueHandler({
      db,
      catalog: markedCatalog,
      signals: [paid],
      requestsPerMinute: 1_000_000,
      authorize: async (request) => JSON.parse(request.headers.get('x-asker')!) as Principal,
    });
  }

  async readDocument(): Promise<ApiDocument> {
    return JSON.parse((await this.#send('GET', '/openapi.json', {})).text) as ApiDocument;
  }

  /** Asks for a route in one of the ways that it is asked; `params`: about what, or something new. */
  async ask(
    route: DescribedRoute,
    request: AccessRequest,
    asker: Asker,
    type: MarkedType,
    params?: Readonly<Record<string, string>>,
  ): Promise<Told> {
    params ??= (await request.params?.(this.queue, type)) ?? {};
    const given = (name: string): string => {
      if (params![name] === undefined) throw new Error(`Nothing is given for {${name}} of ${route.path}.`);
      return params![name]!;
    };
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)));
    const told = await this.send(route.method, path, asker, request.query, request.body?.(type));
    return { ...told, params };
  }

  send(method: string, path: string, asker: Asker, query: Readonly<Record<string, string>> = {}, body?: unknown) {
    const search = new URLSearchParams(query).toString();
    const principal = { ...asker, id: 'key:asker', name: 'key:asker', kind: 'key', from: null };
    return this.#send(method, path + (search && `?${search}`), {
      headers: { 'x-asker': JSON.stringify(principal), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #send(method: string, path: string, init: RequestInit): Promise<Omit<Told, 'params'>> {
    const response = await this.#handle(new Request(`http://api${path}`, { method, ...init }));
    const { status } = response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? await readFirst(response) : await response.text();
    return { status, text, code: status < 400 ? '' : (JSON.parse(text) as { code: string }).code };
  }
}

/** What a stream tells at first. */
async function readFirst(response: Response): Promise<string> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!text.includes('\ndata:') && !text.startsWith('data:')) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value);
  }
  await reader.cancel();
  return text;
}

export const askerWith = (...scopes: Scope[]): Asker => ({ scopes, types: null });

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFact } from './create-fact.js';

export interface Visited {
  readonly url: string;
  /** Resolves when somebody waits for an answer. */
  readonly visited: Promise<void>;
  /** Answers everybody, now and later. */
  answer(): void;
  stop(): void;
}

/** A web server that lets a handler wait until the test answers. */
export async function startVisited(): Promise<Visited> {
  const waiting: ServerResponse[] = [];
  const { happened: visited, happen } = createFact();
  let isOpen = false;
  const server = createServer((_, response) => {
    if (isOpen) return void response.end();
    waiting.push(response);
    happen();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    visited,
    answer() {
      isOpen = true;
      for (const response of waiting) response.end();
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

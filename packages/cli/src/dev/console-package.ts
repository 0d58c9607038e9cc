import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { importInstalled } from '@duework/queue-core/handling';

/** The part of @duework/http that is used; it is loaded from the project, which may not have it. */
export interface ConsolePackage {
  readonly createQueueHandler: (options: object) => unknown;
  readonly authorizeLocal: () => unknown;
  readonly toNodeListener: (handler: unknown) => (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
}

/** undefined: it is not installed in that folder. */
export const importConsole = (dir: string): Promise<ConsolePackage | undefined> =>
  importInstalled<ConsolePackage>(join(dir, 'package.json'), '@duework/http', '.');

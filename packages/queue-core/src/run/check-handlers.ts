import { brand, docsOf, hasBrand } from '@duework/sql/errors';
import type { Catalog } from '@duework/contracts';
import { type Handler, type IsolatedHandler, DEFAULT_MEMORY_MB } from './handler.js';
import type { Engine } from '../worker/engine.js';

/** docs/look-up/errors.md says what each means. */
export type HandlersErrorCode = 'handler_missing' | 'isolated_handler_expected' | 'plain_handler_expected';

/** The handlers of a worker do not fit its catalog; for typed code this is a compile error too. */
export class HandlersError extends Error {
  static {
    brand(this, 'duework.handlers-error');
  }

  override readonly name = 'HandlersError';
  readonly docs: string;

  constructor(
    readonly code: HandlersErrorCode,
    readonly type: string,
    message: string,
  ) {
    super(message);
    this.docs = docsOf(code);
  }

  /** Whether `error` is one, of any copy of this package. */
  static is(error: unknown): error is HandlersError {
    return hasBrand(error, 'duework.handlers-error');
  }
}

/** As a field of an object is written. */
const nameField = (type: string): string => (/^\w+$/.test(type) ? type : JSON.stringify(type));

/**
 * Returns the handler of each type of the catalog. Throws `HandlersError` for the first that is missing or of the wrong
 * kind.
 */
export function checkHandlers(catalog: Catalog, handlers: object): ReadonlyMap<string, Handler | IsolatedHandler> {
  const given = new Map(Object.entries(handlers as Record<string, unknown>));
  return new Map(
    catalog.map(({ type, isolate }) => {
      const handler = given.get(type);
      if (handler === undefined || handler === null)
        throw new HandlersError(
          'handler_missing',
          type,
          `There is no handler for the job type ${type}. Add ${nameField(type)}: async ({ payload }) => { … } to handlers, or take its contract out of this worker’s catalog.`,
        );
      if (isolate !== undefined && !isIsolated(handler)) {
        throw new HandlersError(
          'isolated_handler_expected',
          type,
          `The contract of ${type} has isolate, so its handler must be isolated(new URL('./handlers/${type.replaceAll('_', '-')}.js', import.meta.url)).`,
        );
      }
      if (isolate === undefined && typeof handler !== 'function') {
        throw new HandlersError(
          'plain_handler_expected',
          type,
          `The contract of ${type} has no isolate: pass a function as its handler, or add isolate: {}.`,
        );
      }
      return [type, handler as Handler | IsolatedHandler];
    }),
  );
}

function isIsolated(handler: unknown): handler is IsolatedHandler {
  const { kind, module } = handler as Partial<IsolatedHandler>;
  return kind === 'isolated' && typeof module?.href === 'string';
}

/**
 * Loads the module of each isolated handler once, before anything is claimed: a file that is missing or that Node cannot
 * load ends the start, and not the jobs. One after the other, because each takes a process.
 *
 * @throws the handler's own coded error, for the first that cannot be loaded
 */
export async function checkIsolated(
  { contractOf, handlerOf, clock }: Pick<Engine, 'contractOf' | 'handlerOf' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { type, isolate } of contractOf.values()) {
    const handler = handlerOf.get(type);
    if (typeof handler !== 'object' || signal.aborted) continue;
    const memoryMb = isolate?.memoryMb ?? DEFAULT_MEMORY_MB;
    await handler.check({ type, memoryMb, signal, clock });
  }
}

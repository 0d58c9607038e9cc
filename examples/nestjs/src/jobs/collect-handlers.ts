import type { INestApplicationContext } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { Catalog, Handler, Handlers } from 'duework';
import { handledTypeOf } from './handles.decorator';

/**
 * The methods with `@Handles` of all providers, as the worker takes them.
 *
 * @throws Error where a type of the catalog has no method, two have the same, or one is not in the catalog
 */
export function collectHandlers<TCatalog extends Catalog>(
  app: INestApplicationContext,
  catalog: TCatalog,
): Handlers<TCatalog> {
  const scanner = new MetadataScanner();
  const handlers = new Map<string, Handler>();
  for (const { instance } of app.get(DiscoveryService).getProviders()) {
    if (typeof instance !== 'object' || instance === null) continue;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
      const method = instance[name] as Handler;
      const type = handledTypeOf(method);
      if (type === undefined) continue;
      if (handlers.has(type)) throw new Error(`Two methods have @Handles of ${type}.`);
      handlers.set(type, method.bind(instance));
    }
  }
  const types = new Set(catalog.map(({ type }) => type));
  const missing = [...types].filter((type) => !handlers.has(type));
  const unknown = [...handlers.keys()].filter((type) => !types.has(type));
  if (missing.length > 0) throw new Error(`No method has @Handles of ${missing.join(', ')}.`);
  if (unknown.length > 0)
    throw new Error(`${unknown.join(', ')} has a method with @Handles, and is not in the catalog.`);
  return Object.fromEntries(handlers) as unknown as Handlers<TCatalog>;
}

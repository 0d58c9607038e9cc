import type { Catalog } from '../define-catalog.js';
import type { JsonSchema } from '../describe-schema.js';

/** One version of a type that a catalog reads. */
export interface CatalogVersion {
  readonly type: string;
  readonly version: number;
  readonly schema: JsonSchema;
}

/** Every version that a catalog reads, by type and then from the oldest one on. */
export function catalogVersions(catalog: Catalog): readonly CatalogVersion[] {
  return [...catalog]
    .sort((a, b) => (a.type < b.type ? -1 : 1))
    .flatMap(({ type, version, past, payloadJsonSchema }) => [
      ...[...past].map(([old, { payloadJsonSchema: schema }]) => ({ type, version: old, schema })),
      { type, version, schema: payloadJsonSchema },
    ]);
}

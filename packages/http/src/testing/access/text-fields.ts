import type { ApiDocument, DescribedRoute, Schema } from './described-routes.js';

/** Where a request has a text that its sender chooses. */
export type TextField =
  | { readonly in: 'path' | 'query'; readonly name: string }
  /** The names on the way to it. */
  | { readonly in: 'body'; readonly path: readonly string[] };

const DEEPEST = 4;

/** Every text of a request, as the document has it. */
export function textFields({ components }: ApiDocument, { operation, path }: DescribedRoute): TextField[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ in: 'path' as const, name: name! }));
  const inQuery = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({ in: 'query' as const, name }));
  const bodies = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) => textsOf(schema, []));
  const inBody = [...new Map(bodies.map((way) => [way.join('/'), way])).values()];
  return [...inPath, ...inQuery, ...inBody.map((way) => ({ in: 'body' as const, path: way }))];

  function textsOf(schema: Schema, way: readonly string[]): (readonly string[])[] {
    if (way.length > DEEPEST) return [];
    if (schema.$ref !== undefined)
      return textsOf(components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}, way);
    const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((branch) => textsOf(branch, way));
    const types = schema.type === undefined ? [] : [schema.type].flat();
    const own = way.length > 0 && (types.includes('string') || isAnything(schema)) ? [way] : [];
    const below = Object.entries(schema.properties ?? {}).flatMap(([name, item]) => textsOf(item, [...way, name]));
    const items = schema.items === undefined ? [] : textsOf(schema.items, [...way, '0']);
    return [...own, ...below, ...items, ...branches];
  }
}

const isAnything = ({ type, $ref, anyOf, oneOf, properties }: Schema): boolean =>
  [type, $ref, anyOf, oneOf, properties].every((said) => said === undefined);

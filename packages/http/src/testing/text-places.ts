/** Every place of the API's document that takes a text, each in a request that is else as the document has it. */
import type { AnyJson } from './use-test-api.js';

export interface TextPlace {
  readonly method: string;
  /** As the document has it: `/v1/jobs/{id}`. */
  readonly path: string;
  /** `path id`, `query filter`, `query` of no known name, `header Idempotency-Key`, `body /jobs/0/type`, and `body /payload/*` for the name of a field. */
  readonly name: string;
  /** The request with that text there. */
  fill(text: string): FilledRequest;
}

export interface FilledRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/**
 * What stands in the place of each other parameter and field, by its name: things that are there, so that a request gets far. An
 * `id` by the first part of its path, `jobs id`.
 */
export type KnownTexts = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
/** Stands where the text comes, until JSON is written. */
const HERE = 'the text stands here';

export function textPlaces(document: AnyJson, known: KnownTexts): TextPlace[] {
  return Object.entries<AnyJson>(document.paths).flatMap(([path, item]) =>
    Object.entries<AnyJson>(item).flatMap(([method, route]) =>
      placesOf(document, path, method.toUpperCase(), route, known),
    ),
  );
}

function placesOf(document: AnyJson, path: string, method: string, route: AnyJson, known: KnownTexts): TextPlace[] {
  const schema: AnyJson = route.requestBody?.content['application/json']?.schema;
  const sample = schema === undefined ? undefined : sampleOf(document, schema, known);
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const place = (name: string, fill: TextPlace['fill']): TextPlace => ({ method, path, name, fill });
  const make = (given: {
    path?: Record<string, string>;
    query?: string;
    headers?: object;
    body?: string;
  }): FilledRequest => ({
    address:
      path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) =>
          given.path?.[name] ?? String(known[`${path.split('/')[2]} ${name}`] ?? known[name] ?? 'none'),
      ) + (given.query ?? ''),
    headers: { ...(sample === undefined ? {} : { 'Content-Type': 'application/json' }), ...given.headers },
    body: given.body ?? (sample === undefined ? null : JSON.stringify(sample)),
  });
  const parameters: AnyJson[] = route.parameters ?? [];
  return [
    ...named.map((name) => place(`path ${name}`, (text) => make({ path: { [name]: encode(text) } }))),
    ...parameters
      .filter((one) => one.in === 'query')
      .map(({ name }) => place(`query ${name}`, (text) => make({ query: `?${name}=${encode(text)}` }))),
    place('query', (text) => make({ query: `?${encode(text)}=1` })),
    ...parameters
      .filter((one) => one.in === 'header')
      .map(({ name }) => place(`header ${name}`, (text) => make({ headers: { [name]: text } }))),
    ...(schema === undefined
      ? []
      : [...new Map(bodiesWith(document, schema, known))].map(([at, body]) =>
          place(`body ${at}`, (text) => {
            const json = JSON.stringify(body).replaceAll(JSON.stringify(HERE), () => JSON.stringify(text));
            return make({ body: json });
          }),
        )),
  ];
}

/** What begins with `%` stays as it is: it stands for bytes that are no UTF-8. */
const encode = (text: string): string => (text.startsWith('%') ? text : encodeURIComponent(text));

/** A value that fits a schema. */
function sampleOf(document: AnyJson, given: AnyJson, known: KnownTexts, depth = 0, name = ''): unknown {
  const schema = resolve(document, given);
  if ('const' in schema) return schema.const;
  if (name in known) return known[name];
  if (schema.example !== undefined) return schema.example;
  if (schema.enum !== undefined) return schema.enum[0];
  const either = schema.oneOf ?? schema.anyOf;
  if (either !== undefined) return sampleOf(document, either[0], known, depth + 1, name);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((one: AnyJson) => sampleOf(document, one, known, depth + 1)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return 'a';
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return depth > MAX_DEPTH ? [] : [sampleOf(document, schema.items ?? {}, known, depth + 1)];
    default:
      return Object.fromEntries(
        ((schema.required ?? []) as string[]).map((field) => [
          field,
          sampleOf(document, schema.properties?.[field] ?? {}, known, depth + 1, field),
        ]),
      );
  }
}

/** The sample with a text in each place that takes one, and as the name of each field that may have any. */
function* bodiesWith(
  document: AnyJson,
  given: AnyJson,
  known: KnownTexts,
  at = '',
  depth = 0,
): Generator<[at: string, body: unknown]> {
  const schema = resolve(document, given);
  if (depth > MAX_DEPTH) return;
  for (const one of schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []) {
    const rest = schema.allOf === undefined ? {} : (sampleOf(document, schema, known) as object);
    for (const [inner, body] of bodiesWith(document, one, known, at, depth + 1))
      yield [inner, isObject(body) ? { ...rest, ...body } : body];
  }
  const types = [schema.type].flat();
  if (types.includes('string') || (schema.type === undefined && schema.properties === undefined)) yield [at, HERE];
  if (types.includes('array'))
    for (const [inner, body] of bodiesWith(document, schema.items ?? {}, known, `${at}/0`, depth + 1))
      yield [inner, [body]];
  if (schema.properties !== undefined || types.includes('object')) {
    const sample = sampleOf(document, schema, known) as object;
    for (const [field, part] of Object.entries<AnyJson>(schema.properties ?? {}))
      for (const [inner, body] of bodiesWith(document, part, known, `${at}/${field}`, depth + 1))
        yield [inner, { ...sample, [field]: body }];
    yield [`${at}/*`, { ...sample, [HERE]: HERE }];
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function resolve(document: AnyJson, schema: AnyJson): AnyJson {
  return typeof schema?.$ref === 'string'
    ? resolve(document, document.components.schemas[schema.$ref.split('/').at(-1)!])
    : schema;
}

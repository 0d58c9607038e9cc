/** A JSON Schema as it is in the document. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface DescribedAnswer {
  /** The codes that a problem with this status may have. */
  readonly codes: ReadonlySet<string>;
  /** The content types, each with the place of its schema in the document; none: it has no body. */
  readonly contents: ReadonlyMap<string, string>;
  /** The headers that it has. */
  readonly headers: readonly string[];
}

/** One route as the document describes it. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** null: anybody may call it. */
  readonly scope: string | null;
  readonly parameters: readonly Parameter[];
  /** The place of the body's schema in the document; null: the route reads none. */
  readonly body: { readonly at: string; readonly schema: JsonSchema; readonly isRequired: boolean } | null;
  readonly answers: ReadonlyMap<number, DescribedAnswer>;
}

interface Described {
  readonly security?: readonly { readonly bearer: readonly string[] }[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Contents };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Contents; readonly headers?: object }>
  >;
}
type Contents = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Every route of a document, in its order. */
export function readOperations({ paths }: ApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, described]) => readOperation(path, method, described)),
  );
}

function readOperation(path: string, method: string, described: Described): Operation {
  const at = `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
  const { security = [], parameters = [], requestBody, responses } = described;
  const body = requestBody?.content['application/json'];
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    scope: security[0]?.bearer[0] ?? null,
    parameters,
    body:
      body === undefined
        ? null
        : {
            at: `${at}/requestBody/content/application~1json/schema`,
            schema: body.schema,
            isRequired: requestBody?.required ?? false,
          },
    answers: new Map(
      Object.entries(responses).map(([status, { description, content = {}, headers = {} }]) => [
        Number(status),
        {
          codes: new Set([...description.matchAll(/`(\w+)`: /g)].map(([, code = '']) => code)),
          contents: new Map(
            Object.keys(content).map((type) => [
              type,
              `${at}/responses/${status}/content/${type.replaceAll('/', '~1')}/schema`,
            ]),
          ),
          headers: Object.keys(headers),
        },
      ]),
    ),
  };
}

/** What a pointer of the document (`#/components/schemas/Job`) points to. */
export function readPointer(document: object, pointer: string): JsonSchema {
  const found = pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (at as JsonSchema | undefined)?.[part], document);
  if (typeof found !== 'object' || found === null) throw new Error(`The document has nothing at ${pointer}.`);
  return found as JsonSchema;
}

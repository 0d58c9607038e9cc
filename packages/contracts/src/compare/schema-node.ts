/** A schema inside a JSON Schema: true and `{}` take everything, false takes nothing. */
export type SchemaNode = boolean | { readonly [keyword: string]: unknown };

/** The types of JSON; integers are numbers. */
export const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof TYPES)[number];

/** What a schema says about values for people, or to programs that do not check them. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentMediaType',
  'contentSchema',
]);

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-');
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'boolean' || isObject(value);
}

/** The value of a keyword whose value is a list of schemas. */
export function nodesOf(value: unknown): readonly SchemaNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The schemas of a keyword whose value is a map of them; keys that every object has are keys like others. */
export function nodeMap(value: unknown): ReadonlyMap<string, SchemaNode> {
  return new Map(
    isObject(value) ? Object.entries(value).filter((entry): entry is [string, SchemaNode] => isNode(entry[1])) : [],
  );
}

export function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
}

/** The types that a node allows; all of them where it does not say. */
export function allowedTypes(type: unknown): ReadonlySet<JsonType> {
  if (type === undefined) return new Set(TYPES);
  const names: readonly unknown[] = Array.isArray(type) ? type : [type];
  return new Set(TYPES.filter((name) => names.includes(name) || (name === 'number' && names.includes('integer'))));
}

/** What a local reference points to; undefined: it is none, or leads nowhere. */
export function resolveRef(ref: unknown, root: SchemaNode): SchemaNode | undefined {
  if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(1).split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return isNode(at) ? at : undefined;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

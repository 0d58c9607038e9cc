import type { JsonSchema } from '@duework/contracts';

type Node = { readonly [keyword: string]: unknown };

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '018f3b5e-7d1a-7c3e-9a55-2f4b6c8d0e12',
  ipv4: '192.0.2.1',
};
const MAX_DEPTH = 6;

/** A value that a schema may take: its own example or default, else one made of its types. The caller parses it. */
export function exampleOf(schema: JsonSchema): unknown {
  return make(schema, schema, 0);
}

function make(value: unknown, root: JsonSchema, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  const node = value as Node;
  if (Array.isArray(node['examples']) && node['examples'].length > 0) return node['examples'][0];
  for (const keyword of ['default', 'const']) if (keyword in node) return node[keyword];
  if (Array.isArray(node['enum'])) return node['enum'][0];
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(node[keyword]) && node['type'] === undefined) return make(node[keyword][0], root, depth + 1);
  if (typeof node['$ref'] === 'string') return make(resolve(node['$ref'], root), root, depth + 1);
  switch (node['type']) {
    case 'object':
      return makeObject(node, root, depth);
    case 'array':
      return node['items'] === undefined ? [] : [make(node['items'], root, depth + 1)];
    case 'string':
      return TEXTS[String(node['format'])] ?? 'text'.padEnd(Number(node['minLength'] ?? 0), '.');
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, Number(node['minimum'] ?? 1)), Number(node['maximum'] ?? Infinity));
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function makeObject(node: Node, root: JsonSchema, depth: number): Node {
  const needed: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const properties = Object.entries((node['properties'] as Node | undefined) ?? {});
  return Object.fromEntries(
    properties.filter(([key]) => needed.includes(key)).map(([key, item]) => [key, make(item, root, depth + 1)]),
  );
}

function resolve(ref: string, root: JsonSchema): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (typeof at === 'object' && at !== null ? (at as Node)[part] : undefined), root);
}

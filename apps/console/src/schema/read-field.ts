import type { Field, FieldKind, JsonSchema } from './field.js';

/** Deeper values, and those that hold themselves, are written as JSON. */
const MAX_DEPTH = 5;

/** Reads a payload's JSON Schema as fields. A schema that says little is a field of JSON; none is refused. */
export function readField(root: JsonSchema): Field {
  return read(root, { root, name: '', isRequired: true, depth: 0 });
}

interface Place {
  readonly root: JsonSchema;
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

function read(given: unknown, place: Place): Field {
  const { root, name, isRequired, depth } = place;
  const outer = follow(given, root);
  const { schema, isNullable } = withoutNull(outer, root);
  const options = readOptions(schema, root);
  const kind = depth > MAX_DEPTH ? 'json' : findKind(schema, options);
  const below = (value: unknown, of: string, needed: boolean): Field =>
    read(value, { root, name: of, isRequired: needed, depth: depth + 1 });
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const description = [outer['description'], schema['description']].find((text) => typeof text === 'string');
  return {
    name,
    kind,
    isRequired,
    isNullable,
    isSensitive: outer['x-sensitive'] === true || schema['x-sensitive'] === true,
    description: (description as string | undefined) ?? null,
    schema: outer === schema ? schema : { ...schema, ...('default' in outer ? { default: outer['default'] } : {}) },
    options,
    members:
      kind === 'object'
        ? sortMembers(schema['properties'] as JsonSchema, required).map(([key, value]) =>
            below(value, key, required.includes(key)),
          )
        : [],
    item: kind === 'list' ? below(schema['items'], '', true) : null,
  };
}

/** As the contract names those that are required, then the others: the database keeps the order of a list, of keys not. */
function sortMembers(properties: JsonSchema, required: readonly unknown[]): [string, unknown][] {
  const place = ([key]: readonly [string, unknown]): number =>
    required.includes(key) ? required.indexOf(key) : required.length;
  return Object.entries(properties).sort((one, other) => place(one) - place(other));
}

function findKind(schema: JsonSchema, options: readonly string[]): FieldKind {
  if (options.length > 0) return 'choice';
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
    case 'boolean':
      return schema['type'];
    case 'array':
      return isObject(schema['items']) ? 'list' : 'json';
    case 'object':
      // what may have any other keys is written as JSON, or they could not be given
      return isObject(schema['properties']) && !isObject(schema['additionalProperties']) ? 'object' : 'json';
    default:
      return 'json';
  }
}

/** `#/$defs/name`, wherever it leads to in the same document; a reference to elsewhere is a schema that says nothing. */
function follow(given: unknown, root: JsonSchema): JsonSchema {
  let schema = isObject(given) ? given : {};
  for (let steps = 0; typeof schema['$ref'] === 'string' && steps < 10; steps++) {
    const { $ref, ...beside } = schema;
    const parts = ($ref as string).split('/').slice(1);
    const found = parts.reduce<unknown>(
      (value, part) => (isObject(value) ? value[part.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
    schema = { ...(isObject(found) ? found : {}), ...beside };
  }
  return schema;
}

/** `anyOf` with `null`, or `type: [..., 'null']`: the schema of the other values. */
function withoutNull(schema: JsonSchema, root: JsonSchema): { schema: JsonSchema; isNullable: boolean } {
  const { type } = schema;
  if (Array.isArray(type) && type.includes('null') && type.length === 2)
    return { schema: { ...schema, type: type.find((one) => one !== 'null') as unknown }, isNullable: true };
  const branches = listBranches(schema);
  const others = branches.filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  return others.length === 1 && branches.length === 2
    ? { schema: follow(others[0], root), isNullable: true }
    : { schema, isNullable: false };
}

function readOptions(schema: JsonSchema, root: JsonSchema): string[] {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value));
  const branches = listBranches(schema).map((branch) => follow(branch, root));
  return branches.length > 0 && branches.every((branch) => 'const' in branch)
    ? branches.map((branch) => JSON.stringify(branch['const']))
    : [];
}

function listBranches(schema: JsonSchema): readonly unknown[] {
  const branches = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(branches) ? branches : [];
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

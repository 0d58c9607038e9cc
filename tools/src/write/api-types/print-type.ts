/** As much of JSON Schema as the API's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const NUMBERS = ['integer', 'number'];

/** A schema as a type of TypeScript; oxfmt lays it out. */
export function printType(schema: Schema | undefined): string {
  if (schema === undefined) return 'unknown';
  const { $ref, type } = schema;
  if ($ref !== undefined) return `Schemas['${$ref.split('/').at(-1)}']`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return joinTypes(choices.map(printType));
  if (schema.allOf !== undefined)
    return [...schema.allOf.map(printType), ...(schema.properties === undefined ? [] : [printObject(schema)])]
      .filter((type) => type !== 'unknown')
      .join(' & ');
  if (typeof type === 'object') return joinTypes(type.map((one) => printType({ ...schema, type: one })));
  if (type === 'null') return type;
  if (type === 'object' || schema.properties !== undefined) return printObject(schema);
  if (type === 'array') return `readonly (${printType(schema.items)})[]`;
  if (type !== undefined && NUMBERS.includes(type)) return 'number';
  return type === 'string' || type === 'boolean' ? type : 'unknown';
}

/** A choice of nothing is what no document of a real catalog has: there it is one of its jobs. */
const joinTypes = (types: readonly string[]): string =>
  types.length === 0 ? 'unknown' : [...new Set(types)].join(' | ');

function printObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const doc = schema.description === undefined ? '' : `/** ${schema.description.replaceAll('*/', '* /')} */\n`;
    return `${doc}readonly ${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${printType(schema)};`;
  });
  if (lines.length > 0) return `{\n${lines.join('\n')}\n}`;
  const rest = typeof additionalProperties === 'object' ? printType(additionalProperties) : 'unknown';
  return `{ readonly [name: string]: ${rest} }`;
}

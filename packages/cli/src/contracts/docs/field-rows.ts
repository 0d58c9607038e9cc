import type { JsonSchema } from '@duework/contracts';

type Node = { readonly [keyword: string]: unknown };

/** Rules that are shown, with their words. */
const RULES: Readonly<Record<string, string>> = {
  minimum: 'from',
  exclusiveMinimum: 'above',
  maximum: 'to',
  exclusiveMaximum: 'below',
  multipleOf: 'a multiple of',
  minLength: 'at least … characters',
  maxLength: 'at most … characters',
  minItems: 'at least … items',
  maxItems: 'at most … items',
  default: 'default',
};
const MAX_DEPTH = 4;

/** The fields of a schema as rows of a table: name, type, whether it is required, rules, description. */
export function fieldRows(schema: JsonSchema): readonly (readonly string[])[] {
  return rowsOf(schema, '', 0);
}

function rowsOf(node: Node, path: string, depth: number): readonly (readonly string[])[] {
  const needed: readonly unknown[] = Array.isArray(node['required']) ? node['required'] : [];
  const properties = Object.entries((node['properties'] as { [key: string]: unknown } | undefined) ?? {});
  return properties.flatMap(([key, value]) => {
    const field = typeof value === 'object' && value !== null ? (value as Node) : {};
    const name = `${path}${key}`;
    const items = field['items'] as Node | undefined;
    const row = [
      `\`${name}\``,
      typeWords(field),
      needed.includes(key) ? 'yes' : '',
      ruleWords(field),
      String(field['description'] ?? ''),
    ];
    if (depth >= MAX_DEPTH) return [row];
    return [
      row,
      ...rowsOf(field, `${name}.`, depth + 1),
      ...(isNode(items) ? rowsOf(items, `${name}[].`, depth + 1) : []),
    ];
  });
}

/** The type of a schema in a word or two. */
export function typeWords(node: Node): string {
  if ('const' in node) return code(node['const']);
  if (Array.isArray(node['enum'])) return node['enum'].map(code).join(', ');
  const choices = [node['anyOf'], node['oneOf']].find(Array.isArray) as readonly unknown[] | undefined;
  if (choices !== undefined)
    return choices.map((choice) => (isNode(choice) ? typeWords(choice) : 'anything')).join(' or ');
  if (node['type'] === 'array') return isNode(node['items']) ? `list of ${typeWords(node['items'])}` : 'list';
  if (typeof node['format'] === 'string') return node['format'];
  if (Array.isArray(node['type'])) return node['type'].join(' or ');
  return typeof node['type'] === 'string' ? node['type'] : 'anything';
}

function ruleWords(node: Node): string {
  const isSafeLimit = (value: unknown): boolean => Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  const words = Object.entries(RULES)
    .filter(([keyword]) => keyword in node && !isSafeLimit(node[keyword]))
    .map(([keyword, word]) =>
      word.includes('…') ? word.replace('…', String(node[keyword])) : `${word} ${code(node[keyword])}`,
    );
  // a format has a pattern of its own that nobody wants to read
  if (typeof node['pattern'] === 'string' && node['format'] === undefined)
    words.push(`matches ${code(node['pattern'])}`);
  return words.join(', ');
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

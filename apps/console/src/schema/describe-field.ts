import { texts } from '../texts/texts.js';
import type { Field, JsonSchema } from './field.js';

const words = texts.schema;
/** Zod writes it where a number may be any whole number that JavaScript holds. */
const ANY_WHOLE = Number.MAX_SAFE_INTEGER;
/** A longer one says nothing to anybody; the format beside it does. */
const LONGEST_PATTERN = 48;

/** What a field is, in a word or two. */
export function nameKind({ kind, item, schema, isNullable }: Field): string {
  const name =
    kind === 'list'
      ? words.listOf(nameKind(item!))
      : kind === 'text' && typeof schema['format'] === 'string'
        ? (words.formats[schema['format']] ?? schema['format'])
        : kind === 'json' && schema['type'] === 'object'
          ? words.record
          : words.kinds[kind];
  return isNullable ? words.orNull(name) : name;
}

/** What its values have to be, in words, a line each. */
export function listLimits({ kind, schema, options }: Field): string[] {
  const { minLength, maxLength, minItems, maxItems, pattern, format, multipleOf } = schema;
  const lines: string[] = [];
  if (kind === 'choice') lines.push(options.join(' · '));
  if (kind === 'number' || kind === 'integer') lines.push(...listBounds(schema));
  if (isNumber(multipleOf)) lines.push(words.multipleOf(multipleOf));
  lines.push(...range(minLength, maxLength, words.characters), ...range(minItems, maxItems, words.items));
  if (typeof pattern === 'string' && format === undefined && pattern.length <= LONGEST_PATTERN) lines.push(pattern);
  if ('default' in schema) lines.push(words.default(JSON.stringify(schema['default'])));
  return lines;
}

function listBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string[] {
  const lines: string[] = [];
  if (isNumber(minimum) && minimum !== -ANY_WHOLE) lines.push(`≥ ${minimum}`);
  if (isNumber(exclusiveMinimum)) lines.push(`> ${exclusiveMinimum}`);
  if (isNumber(maximum) && maximum !== ANY_WHOLE) lines.push(`≤ ${maximum}`);
  if (isNumber(exclusiveMaximum)) lines.push(`< ${exclusiveMaximum}`);
  return lines;
}

function range(min: unknown, max: unknown, say: (from: number | null, to: number | null) => string): string[] {
  const [from, to] = [isNumber(min) ? min : null, isNumber(max) ? max : null];
  return from === null && to === null ? [] : [say(from, to)];
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

import {
  FILTER_STATUSES,
  type FilterStatus,
  HELD_BY,
  type HeldBy,
  type JobFilterTerm,
  type PayloadTerm,
  type TextTerm,
} from './filter.js';
import { readComparison } from './read-comparison.js';
import { readMoment } from './read-moment.js';
import type { TermToken, ValueToken } from './read-tokens.js';
import { refuse } from './refuse.js';
import { suggest } from './suggest.js';

/** Every field, in the order in which they are told. */
export const FILTER_FIELDS = [
  'status',
  'type',
  'queue',
  'error',
  'code',
  'key',
  'schedule',
  'version',
  'since',
  'until',
  'payload',
  'id',
  'worker',
  'priority',
  'attempts',
  'held',
  'gate',
  'tenant',
  'batch',
  'bulk',
  'parent',
  'at',
] as const;
/** Of several databases. */
export const SHARD_FIELDS = [...FILTER_FIELDS, 'shard'] as const;
type Field = (typeof SHARD_FIELDS)[number];

const MAX_VALUES = 100;
const MAX_ID = 9_223_372_036_854_775_807n;
/** Names of types, queues, schedules and workers, and keys, are no longer. */
const MAX_NAME = 300;
/** The name of a rule and a value. */
const MAX_GATE = 400;

const SHARD_NAME = /^[a-z][a-z0-9_]{0,15}$/;

/** What else may be written. */
export interface FilterOptions {
  /**
   * It is a filter over several databases: `shard:b` narrows it to one, and ids may begin with the name of theirs: `id:b.17`.
   * Default: no.
   */
  readonly isOfShards?: boolean;
}

/** Makes a term of what is written. Throws a `Refusal`. */
export function readTerm(token: TermToken, { isOfShards = false }: FilterOptions = {}): JobFilterTerm {
  const { isNot, values } = token;
  if (token.field === null) return { field: 'error', isNot, values: values.map(readWords) };
  const field = readField(token, token.field, isOfShards ? SHARD_FIELDS : FILTER_FIELDS);
  if (values.length > MAX_VALUES)
    refuse('too_many_values', token, `A term takes at most ${MAX_VALUES} values.`, 'Split the filter.');
  switch (field) {
    case 'status':
      return { field, isNot, values: values.map(readStatus) };
    case 'held':
      return { field, isNot, values: values.map(readHeldBy) };
    case 'error':
    case 'code':
      return { field, isNot, values: values.map(readWords) };
    case 'id':
    case 'parent':
    case 'bulk':
      return { field, isNot, values: values.map((value) => readId(field, value, isOfShards)) };
    case 'shard':
      return { field, isNot, values: values.map(readShard) };
    case 'version':
    case 'priority':
    case 'attempts':
      return { field, isNot, values: values.map((value) => readComparison(field, value)) };
    case 'since':
    case 'until':
      return { field, moment: readOneMoment(token, field) };
    case 'payload':
      return readPayload(token);
    default:
      return { field, isNot, values: values.map((value) => readName(field, value)) };
  }
}

function readField(token: TermToken, { text: name, ...place }: ValueToken, fields: readonly Field[]): Field {
  const { path, values } = token;
  const isPayload = name === 'payload' && path.length > 0;
  const field = fields.find((known) => known === name);
  if (values.length === 0)
    refuse('word_alone', token, `${JSON.stringify(nameOf(token))} belongs to no field.`, hintFor(token));
  if (field === undefined || (path.length > 0 && !isPayload)) {
    const written = nameOf(token);
    const meant = suggest(name, fields);
    refuse(
      'unknown_field',
      { from: place.from, to: path.at(-1)?.to ?? place.to },
      `There is no field ${JSON.stringify(written)}. Known: ${fields.join(', ')}.`,
      path.length > 0 && field === undefined && meant === null
        ? `Did you mean payload.${written}?`
        : meant && `Did you mean ${meant}:?`,
    );
  }
  return field;
}

const nameOf = ({ field, path }: TermToken): string => [field!, ...path].map(({ text }) => text).join('.');

/** What somebody means who writes a word without a field. */
function hintFor(token: TermToken): string {
  const word = nameOf(token);
  if (/^(and|or|not)$/i.test(word))
    return 'Terms are joined by "and"; alternatives are status:dead,failed, and -type:x means not x.';
  if (/^\d+$/.test(word)) return `id:${word}`;
  const status = suggest(word, FILTER_STATUSES);
  if (status !== null) return `status:${status}`;
  return FILTER_FIELDS.some((field) => field === word)
    ? `${word}:…`
    : `${JSON.stringify(word)} looks for the word in errors`;
}

function readStatus(value: ValueToken): FilterStatus {
  const status = FILTER_STATUSES.find((known) => known === value.text);
  if (status !== undefined) return status;
  const meant = suggest(value.text, FILTER_STATUSES);
  return refuse(
    'unknown_status',
    value,
    `There is no status ${JSON.stringify(value.text)}. Known: ${FILTER_STATUSES.join(', ')}.`,
    meant && `Did you mean status:${meant}?`,
  );
}

function readHeldBy(value: ValueToken): HeldBy {
  const kind = HELD_BY.find((known) => known === value.text);
  if (kind !== undefined) return kind;
  const meant = suggest(value.text, HELD_BY);
  return refuse(
    'unknown_gate',
    value,
    `No gate is of the kind ${JSON.stringify(value.text)}. Known: ${HELD_BY.join(', ')}.`,
    meant === null ? (value.text.includes('/') ? `gate:${value.text}` : null) : `Did you mean held:${meant}?`,
  );
}

function readShard({ text, ...place }: ValueToken): string {
  if (SHARD_NAME.test(text)) return text;
  return refuse('invalid_name', place, 'The name of a shard is a letter, then letters, digits and _, in lower case.');
}

function readWords(value: ValueToken): string {
  if (/[\p{L}\p{N}]/u.test(value.text)) return value.text;
  return refuse(
    'no_word',
    value,
    'An error is found by whole words, and there is none here.',
    'error:ECONNREFUSED or "text of an error"',
  );
}

function readId(field: TextTerm['field'], { text, ...place }: ValueToken, areNamed: boolean): string {
  const [, shard = '', id = text] = (areNamed && /^([a-z][a-z0-9_]{0,15}\.)(\d+)$/.exec(text)) || [];
  // as it is stored, so that one id has one text
  if (/^\d{1,19}$/.test(id) && BigInt(id) <= MAX_ID) return shard + BigInt(id).toString();
  return refuse(
    'invalid_id',
    place,
    `${JSON.stringify(text)} is not ${field === 'bulk' ? 'the id of a bulk action' : 'a job id'}.`,
    `Ids are whole numbers: ${field}:${field === 'bulk' ? '17' : '1765000000001'}`,
  );
}

function readName(field: TextTerm['field'], { text, ...place }: ValueToken): string {
  const most = field === 'gate' ? MAX_GATE : MAX_NAME;
  if (text !== '' && text.length <= most) return text;
  return refuse('invalid_name', place, `A ${field} has 1 to ${most} characters.`);
}

function readOneMoment(token: TermToken, field: 'since' | 'until'): ReturnType<typeof readMoment> {
  const [first, second] = token.values;
  if (token.isNot)
    refuse('not_negatable', token, `${field} cannot be negated.`, field === 'since' ? 'until:…' : 'since:…');
  if (second !== undefined) refuse('not_several', second, `${field} takes one moment.`);
  return readMoment(first!);
}

function readPayload({ isNot, path, values, field }: TermToken): PayloadTerm {
  const missing = path.find(({ text, isQuoted }) => text === '' && !isQuoted);
  if (path.length === 0 || missing !== undefined)
    refuse('missing_path', missing ?? field!, 'The name of a field of the payload is missing.', 'payload.orderId:812');
  return {
    field: 'payload',
    isNot,
    path: path.map(({ text }) => text),
    values: values.map(({ text, isQuoted }) => ({ text, isQuoted })),
  };
}

import { FILTER_FIELDS, FILTER_STATUSES, HELD_BY, SHARD_FIELDS } from '@duework/filter';
import { parseFilter } from '../../parse-filter.js';
import { texts } from '../../texts/texts.js';
import type { Completion } from './find-completion.js';

/** The names that a filter may be about here. */
export interface Vocabulary {
  readonly types: readonly string[];
  readonly queues: readonly string[];
  readonly schedules: readonly string[];
  readonly workers: readonly string[];
  /** Rules of flow control: `limit/smtp`. */
  readonly rules: readonly string[];
  /** Of an API over several databases; empty: over one. */
  readonly shards: readonly string[];
  /** The fields of payloads, by type. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** The fields that a filter may ask for here; null: all. */
  readonly asked: readonly string[] | null;
}

export interface Suggestion {
  /** Written instead of what is typed. */
  readonly insert: string;
  readonly words: string;
  /** It begins a term that goes on: no blank behind it. */
  readonly isOpen: boolean;
}

const AGES = ['15m', '1h', '24h', '7d'];
const MAX = 12;

/** What may be meant by what is typed, the likeliest first. Nothing is suggested that is there already. */
export function listSuggestions(completion: Completion, text: string, vocabulary: Vocabulary): readonly Suggestion[] {
  const { field, typed } = completion;
  const found = field === null ? listFields(typed, text, vocabulary) : listValues(field, vocabulary);
  const wanted = typed.toLowerCase();
  return found
    .filter(({ insert }) => insert.toLowerCase().includes(wanted) && insert !== typed)
    .toSorted((a, b) => Number(b.insert.startsWith(typed)) - Number(a.insert.startsWith(typed)))
    .slice(0, MAX);
}

function listFields(typed: string, text: string, vocabulary: Vocabulary): readonly Suggestion[] {
  if (typed.startsWith('payload.'))
    return listPayloadFields(text, vocabulary).map((name) => ({
      insert: `payload.${name}:`,
      words: '',
      isOpen: true,
    }));
  const { asked, shards } = vocabulary;
  const known = shards.length > 0 ? SHARD_FIELDS : FILTER_FIELDS;
  const fields = known
    .filter((field) => asked === null || asked.includes(field))
    .map((field) => ({
      insert: field === 'payload' ? 'payload.' : `${field}:`,
      words: texts.jobs.fields[field],
      isOpen: true,
    }));
  const isField = fields.some(({ insert }) => insert.startsWith(typed));
  return isField || typed === '' || asked !== null
    ? fields
    : [...fields, { insert: `error:${typed}`, words: texts.jobs.fields.error, isOpen: false }];
}

/** Of the types that the filter names, or else of all. */
function listPayloadFields(text: string, { fields }: Vocabulary): readonly string[] {
  const named = [...text.matchAll(/(?:^|\s)type:(\S+)/g)].flatMap(([, types]) => types!.split(','));
  const lists = [...fields].filter(([type]) => named.length === 0 || named.includes(type)).map(([, list]) => list);
  return [...new Set(lists.flat())].toSorted();
}

function listValues(field: string, vocabulary: Vocabulary): readonly Suggestion[] {
  const close = (insert: string, words = ''): Suggestion => ({ insert, words, isOpen: false });
  const all = (names: readonly string[]): Suggestion[] => names.map((name) => close(quoteWhereNeeded(name)));
  switch (field) {
    case 'status':
      return FILTER_STATUSES.map((status) => close(status, texts.statusWords[status]));
    case 'type':
      return all(vocabulary.types);
    case 'queue':
      return all(vocabulary.queues);
    case 'schedule':
      return all(vocabulary.schedules);
    case 'worker':
      return all(vocabulary.workers);
    case 'shard':
      return all(vocabulary.shards);
    case 'held':
      return HELD_BY.map((kind) => close(kind, texts.jobs.heldBy[kind]));
    case 'gate':
      return all(vocabulary.rules);
    case 'since':
    case 'until':
      return all(AGES);
    default:
      return [];
  }
}

/** A name as the filter language reads it back. */
export function quoteWhereNeeded(name: string): string {
  const parsed = parseFilter(`key:${name}`);
  return parsed.isOk && parsed.filter.terms.length === 1 && !name.includes(',')
    ? name
    : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
}

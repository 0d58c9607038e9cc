/** Fields of a hash, each read with a guard: any program that has the Redis may have written it. */
import type { Meta } from '@duework/queue-core';
import type { RunTerms } from '@duework/queue-core/ports';
import type { JobNotes } from './encode-job.js';

/** What a field says where nobody can read it. */
export const UNREADABLE = Symbol('unreadable');
export type Unreadable = typeof UNREADABLE;

/** Deeper JSON is read, and then written by nobody: each value of it takes the stack of those around it. */
const MAX_LEVELS = 1_000;

/** The value of JSON text. */
export function readJson(text: string): unknown {
  if (isDeep(text)) return UNREADABLE;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return UNREADABLE;
  }
}

function isDeep(text: string): boolean {
  if (text.length < 2 * MAX_LEVELS) return false;
  let levels = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isInText = !isInText;
    else if (sign === '\\') at++;
    else if (!isInText && (sign === '{' || sign === '[') && ++levels > MAX_LEVELS) return true;
    else if (!isInText && (sign === '}' || sign === ']')) levels--;
  }
  return false;
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A whole number, not below `least`; anything else is `otherwise`. */
export function readWhole(value: unknown, least: number, otherwise: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) >= least ? (number as number) : otherwise;
}

/** The furthest moment that a Date has. */
const LAST_MS = 8.64e15;

/** Milliseconds since 1970; null: no moment. */
export function readMoment(value: unknown): number | null {
  const ms = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof ms === 'number' && Math.abs(ms) <= LAST_MS ? Math.trunc(ms) : null;
}

export interface ReadOptions {
  readonly attempts: unknown;
  /** For how many milliseconds it was to wait, as it was added. */
  readonly delayMs: number;
  readonly notes: Partial<JobNotes>;
  /** Which field nobody can read; null: none. */
  readonly unreadable: 'opts' | 'opts.duework' | null;
}

const NONE: Omit<ReadOptions, 'unreadable'> = { attempts: undefined, delayMs: 0, notes: {} };

/** The options of a job in BullMQ, and our notes among them; not there: another program has added it. */
export function readOptions(text: string | undefined): ReadOptions {
  const options = readJson(text || '{}');
  if (options === UNREADABLE || options === null) return { ...NONE, unreadable: 'opts' };
  // BullMQ reads a list or a number as no options
  return readNotes(isObject(options) ? options : {});
}

/** Whether Duework has added the job of these options, and no other program. */
export function isOwn(opts: string | undefined): boolean {
  const options = readJson(opts || '{}');
  return isObject(options) && options['duework'] !== undefined;
}

/** The same of options that BullMQ has read. */
export function readNotes({ attempts, delay, duework }: Fields): ReadOptions {
  const given = { attempts, delayMs: readWhole(delay, 0, 0) };
  if (duework === undefined) return { ...given, notes: {}, unreadable: null };
  const notes = typeof duework === 'string' ? readJson(duework) : UNREADABLE;
  return isNotes(notes) ? { ...given, notes, unreadable: null } : { ...given, notes: {}, unreadable: 'opts.duework' };
}

/** How long a job stays that is over, as its options say in BullMQ's words; false: as long as Duework keeps it. */
export type Keep = boolean | number | { readonly age?: number; readonly count?: number };

/** The option of another program's job that says how long it stays once it is over. */
export function keepOf(opts: string | null | undefined, option: 'removeOnComplete' | 'removeOnFail'): Keep {
  const options = readJson(opts || '{}');
  const keep = isObject(options) ? options[option] : false;
  if (typeof keep === 'boolean' || readWhole(keep, 0, -1) === keep) return keep as boolean | number;
  if (!isObject(keep)) return false;
  const [age, count] = [readWhole(keep.age, 0, -1), readWhole(keep.count, 0, -1)];
  return age < 0 && count < 0 ? false : { ...(age < 0 ? {} : { age }), ...(count < 0 ? {} : { count }) };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): boolean => readMoment(value) !== null && typeof value === 'number';
const isDate = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));
const isMeta = (value: unknown): boolean => isText(value) && readMeta(value) !== null;

const NOTES: Readonly<Record<keyof JobNotes, (value: unknown) => boolean>> = {
  version: (value) => readWhole(value, 1, 0) === value,
  key: (value) => value === null || isText(value),
  meta: (value) => value === null || isMeta(value),
  createdAtMs: isNumber,
  runAtMs: isNumber,
  terms: (value) => isObject(value) && areFit(value, TERMS),
};
const TERMS: Readonly<Record<keyof RunTerms, (value: unknown) => boolean>> = {
  expiresAt: isDate,
  retryUntil: isDate,
  onExpired: isText,
  onDead: isText,
  maxWaitMs: isNumber,
  batch: isText,
  hasObjects: (value) => value === true,
};

const isNotes = (value: unknown): value is Partial<JobNotes> => isObject(value) && areFit(value, NOTES);

function areFit(value: Fields, rules: Readonly<Record<string, (field: unknown) => boolean>>): boolean {
  return Object.entries(rules).every(([name, isFit]) => value[name] === undefined || isFit(value[name]));
}

/** null: nobody can read it. */
export function readMeta(json: string): Meta | null {
  const meta = readJson(json);
  return isObject(meta) && Object.values(meta).every(isText) ? (meta as Meta) : null;
}

/** A list of texts; anything else is an empty one. */
export function readTexts(json: string | undefined): readonly string[] {
  const texts = readJson(json || '[]');
  return Array.isArray(texts) && texts.every(isText) ? texts : [];
}

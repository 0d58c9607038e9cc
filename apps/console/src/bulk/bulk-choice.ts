import type { NewBulkAction } from '../api/bulk-queries.js';
import { keepsNumbers } from '../json/keeps-numbers.js';

export const VERBS = [
  'retry',
  'cancel',
  'reschedule',
  'change_priority',
  'change_queue',
  'edit_payload',
  'free_key',
  'delete',
] as const;
export type Verb = (typeof VERBS)[number];

/** What a dialog has been told, as it was typed. */
export interface BulkChoice {
  readonly priority: string;
  /** Of a `datetime-local` input, in the browser's zone. */
  readonly runAt: string;
  readonly spreadMinutes: string;
  readonly queue: string;
  readonly path: string;
  /** JSON; empty: the field is removed. */
  readonly value: string;
  /** What somebody says of effects that nobody knows the end of; empty: nothing. */
  readonly effects: '' | 'happened' | 'not';
  readonly perSecond: string;
}

export const NO_CHOICE: BulkChoice = {
  priority: '',
  runAt: '',
  spreadMinutes: '',
  queue: '',
  path: '',
  value: '',
  effects: '',
  perSecond: '',
};

/** The request that a choice means; null: something is missing, or cannot be read. */
export function readChoice(verb: Verb, filter: string, choice: BulkChoice): NewBulkAction | null {
  const perSecond = readWhole(choice.perSecond);
  if (perSecond === null) return null;
  const shared = { filter, ...(perSecond === undefined ? {} : { perSecond }) };
  const priority = readWhole(choice.priority);
  switch (verb) {
    case 'retry':
      return {
        verb,
        ...shared,
        ...(priority === undefined || priority === null ? {} : { priority }),
        ...(choice.effects === '' ? {} : { effectsHappened: choice.effects === 'happened' }),
      };
    case 'cancel':
    case 'free_key':
    case 'delete':
      return { verb, ...shared };
    case 'reschedule': {
      const at = Date.parse(choice.runAt);
      const minutes = readWhole(choice.spreadMinutes);
      if (Number.isNaN(at) || minutes === null) return null;
      const spread = minutes === undefined ? {} : { spreadSeconds: minutes * 60 };
      return { verb, ...shared, runAt: new Date(at).toISOString(), ...spread };
    }
    case 'change_priority':
      return priority === undefined || priority === null ? null : { verb, ...shared, priority };
    case 'change_queue':
      return choice.queue.trim() === '' ? null : { verb, ...shared, queue: choice.queue.trim() };
    case 'edit_payload':
      return readEdit(shared, choice);
  }
}

function readEdit(shared: { readonly filter: string }, { path, value }: BulkChoice): NewBulkAction | null {
  const names = path.trim().split('.');
  if (names.includes('')) return null;
  if (value.trim() === '') return { verb: 'edit_payload', ...shared, path: names };
  if (!keepsNumbers(value)) return null;
  try {
    return { verb: 'edit_payload', ...shared, path: names, value: JSON.parse(value) as unknown };
  } catch {
    return null;
  }
}

/** A whole number; undefined: nothing was typed; null: it is none. */
function readWhole(text: string): number | undefined | null {
  if (text.trim() === '') return undefined;
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
}

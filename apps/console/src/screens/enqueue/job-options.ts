import type { Schemas } from '../../api/api-types.js';

/** When a job is due, which one input decides before another says it. */
type When = 'runAt' | 'delaySeconds';
/** What may be said about a job beside its payload and its moment. */
export type JobOption = Exclude<keyof Schemas['NewJob'], 'type' | 'payload' | When>;
type Defaults = NonNullable<Schemas['Contract']['defaults']>;

interface Declared {
  readonly mode?: 'numeric' | 'decimal';
  /** What holds where it is left empty; absent: as the type says. */
  readonly usual?: (defaults: Defaults) => string;
}

/** The inputs in their order; the compiler names an option that the API has and the form has not. */
export const JOB_OPTIONS: Readonly<Record<JobOption, Declared>> = {
  priority: { mode: 'numeric', usual: ({ priority }) => String(priority) },
  maxAttempts: { mode: 'numeric', usual: ({ maxAttempts }) => String(maxAttempts) },
  queue: { usual: ({ queue }) => queue },
  expiresAfterSeconds: { mode: 'decimal' },
  idempotencyKey: {},
};
export const OPTION_NAMES = Object.keys(JOB_OPTIONS) as JobOption[];

/** The same as it was typed. */
export type JobOptions = Readonly<Record<JobOption | When, string>> & { readonly when: 'now' | 'later' | 'at' };

export const NO_OPTIONS: JobOptions = {
  when: 'now',
  delaySeconds: '',
  runAt: '',
  ...(Object.fromEntries(OPTION_NAMES.map((name) => [name, ''])) as Record<JobOption, string>),
};

/** The JSON of a request; an option that was left empty is not in it. `payload`: its JSON; undefined: none is given. */
export function printRequest(type: string, payload: string | undefined, options: JobOptions): string {
  const { when, delaySeconds, runAt } = options;
  const members = [
    ['type', JSON.stringify(type)],
    ['payload', payload],
    ['delaySeconds', when === 'later' ? number(delaySeconds) : undefined],
    ['runAt', when === 'at' ? JSON.stringify(runAt) : undefined],
    ...OPTION_NAMES.map((name) => [name, (JOB_OPTIONS[name].mode === undefined ? text : number)(options[name])]),
  ].flatMap(([name, value]) => (value === undefined ? [] : [`"${name}":${value}`]));
  return `{${members.join(',')}}`;
}

const text = (typed: string): string | undefined => (typed === '' ? undefined : JSON.stringify(typed));

/** What is no number is sent as it is, and the API says so at its place. */
function number(typed: string): string | undefined {
  if (typed.trim() === '') return undefined;
  return Number.isFinite(Number(typed)) ? String(Number(typed)) : JSON.stringify(typed);
}

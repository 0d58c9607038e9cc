import type { Json } from './any-json.js';
import type { StandardSchema } from './standard-schema.js';

/** The payload of a job that `onDead` enqueues. */
export interface DeadJob {
  readonly jobId: string;
  readonly type: string;
  /** Absent if the contract has sensitive values, or if it is larger than 48 KiB: the job itself has it. */
  readonly payload?: Json;
  readonly errorCode: string;
  readonly error: string;
  /** How many attempts were charged. */
  readonly attempts: number;
  readonly meta: { readonly [name: string]: string } | null;
}

const text = { type: 'string' } as const;
const JSON_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    jobId: text,
    type: text,
    payload: {},
    errorCode: text,
    error: text,
    attempts: { type: 'integer' },
    meta: { anyOf: [{ type: 'object', additionalProperties: text }, { type: 'null' }] },
  },
  required: ['jobId', 'type', 'errorCode', 'error', 'attempts', 'meta'],
};

const isText = (value: unknown): boolean => typeof value === 'string';
const EXPECTED: Readonly<Record<string, readonly [expected: string, isValid: (value: unknown) => boolean]>> = {
  jobId: ['a text', isText],
  type: ['a text', isText],
  errorCode: ['a text', isText],
  error: ['a text', isText],
  attempts: ['a whole number', Number.isInteger],
  meta: [
    'an object of texts, or null',
    (value) => value === null || (isObject(value) && Object.values(value).every(isText)),
  ],
};

/** The schema of `DeadJob`, for the payload of the type that `onDead` names. */
export const deadJob: StandardSchema<DeadJob> = {
  '~standard': {
    version: 1,
    vendor: 'duework',
    validate(value) {
      if (!isObject(value)) return { issues: [{ message: 'expected an object' }] };
      const issues = Object.entries(EXPECTED)
        .filter(([name, [, isValid]]) => !isValid(value[name]))
        .map(([name, [expected]]) => ({ message: `expected ${expected}`, path: [name] }));
      return issues.length === 0 ? { value: value as unknown as DeadJob } : { issues };
    },
    jsonSchema: { input: () => JSON_SCHEMA, output: () => JSON_SCHEMA },
  },
};

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

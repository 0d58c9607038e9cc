import type { Operation } from './read-operations.js';

/** What came back for one request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Of a stream: what came until it was left. */
  readonly text: string;
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What answers have told, for later requests to ask about: ids of jobs and of bulk actions, keys, cursors. */
export class ToldValues {
  readonly #values = new Map<string, string[]>();

  add(about: string, value: unknown): void {
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return;
    const known = this.#values.get(about) ?? [];
    if (!known.includes(String(value))) known.push(String(value));
    this.#values.set(about, known);
  }

  /** The n-th value for a parameter; null: nobody has told one yet. */
  find(operation: Operation, parameter: string, n: number): string | null {
    const known = this.#values.get(aboutOf(operation, parameter)) ?? [];
    return known[n % Math.max(known.length, 1)] ?? null;
  }

  /** Takes from an answer what it tells. */
  learn(operation: Operation, { status, headers, text }: Answer): void {
    if (status >= 300 || headers.get('content-type')?.includes('json') !== true || text === '') return;
    const body = JSON.parse(text) as unknown;
    if (!isObject(body)) return;
    this.add(aboutOf(operation, 'cursor'), body['nextCursor']);
    this.add(aboutOf(operation, 'cursor'), body['previousCursor']);
    const place = placeOf(operation);
    const listed = Object.values(body).filter(Array.isArray).flat();
    for (const one of [body, ...listed].filter(isObject)) {
      this.add(`${place} id`, one['id']);
      this.add(`${place} key`, one['key']);
    }
  }
}

/** What a route is about: `/v1/jobs` of `/v1/jobs/{id}/retry`. */
const placeOf = ({ path }: Operation): string => path.replace(/(\/(batch|preview|\{.*))+$/, '');

function aboutOf(operation: Operation, parameter: string): string {
  if (parameter === 'job' || parameter === 'target') return '/v1/jobs id';
  return `${parameter === 'cursor' ? operation.name : placeOf(operation)} ${parameter}`;
}

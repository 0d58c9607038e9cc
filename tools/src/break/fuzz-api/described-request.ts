import fc from 'fast-check';
import { arbitraryOf, sparse, type MeaningOf } from './arbitrary-of.js';
import { hostileJson, hostileText } from './hostile-values.js';
import { meanings } from './meanings.js';
import type { ApiDocument, Operation, Parameter } from './read-operations.js';

/**
 * With which credentials a request comes: `right` has the scope of its route and no other, `other` any but that one,
 * `limited` every scope for types of which no seeded job is, and the key of `expiring` ends while the requests are sent.
 */
export const CALLERS = [
  'all',
  'right',
  'limited',
  'expiring',
  'other',
  'none',
  'unknown',
  'expired',
  'revoked',
] as const;
export type CallerKind = (typeof CALLERS)[number];

/** A value, or the n-th that an answer has told under this name. */
export type Given = { readonly text: string } | { readonly told: number };

export interface DescribedRequest {
  readonly operation: Operation;
  readonly caller: CallerKind;
  /** Who sends the same request at the same moment; null: nobody. */
  readonly companion: CallerKind | null;
  /** Which of the other scopes. */
  readonly other: number;
  /** Another method than the route's. */
  readonly method: string | null;
  readonly inPath: Readonly<Record<string, Given>>;
  readonly query: readonly (readonly [name: string, value: Given])[];
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined: no body is sent. */
  readonly body: string | undefined;
}

const TOLD: fc.Arbitrary<Given> = fc.noBias(fc.nat({ max: 1_000 })).map((told) => ({ told }));
const caller = fc.oneof(
  { arbitrary: fc.constant<CallerKind>('all'), weight: 12 },
  { arbitrary: fc.constant<CallerKind>('right'), weight: 6 },
  { arbitrary: fc.constantFrom<CallerKind>('limited', 'expiring'), weight: 4 },
  { arbitrary: fc.constantFrom<CallerKind>('other', 'none', 'unknown', 'expired', 'revoked'), weight: 5 },
);

/** Requests to any route of a document: such as it describes, nearly such, and some that are neither. */
export function describedRequest(
  document: ApiDocument,
  operations: readonly Operation[],
): fc.Arbitrary<DescribedRequest> {
  const meaningOf = meanings(document);
  const made = operations.map((operation) => requestTo(document, operation, meaningOf));
  // without the bias towards small numbers, or the first routes would get most of the requests
  return fc.noBias(fc.nat({ max: operations.length - 1 })).chain((index) => made[index]!);
}

function requestTo(document: ApiDocument, operation: Operation, meaningOf: MeaningOf): fc.Arbitrary<DescribedRequest> {
  const { parameters, body } = operation;
  const value = (parameter: Parameter): fc.Arbitrary<Given> => valueOf(document, parameter, meaningOf);
  const named = (place: Parameter['in']): readonly Parameter[] =>
    parameters.filter((parameter) => parameter.in === place);
  const described = sparse(named('query').map((parameter) => [parameter.name, value(parameter)])).map(
    (values) => Object.entries(values) as [string, Given][],
  );
  const strange = fc.tuple(
    hostileText,
    hostileText.map((text) => ({ text })),
  );
  const noQuery: fc.Arbitrary<[string, Given][]> = fc.constant([]);
  return fc.record({
    operation: fc.constant(operation),
    caller,
    companion: often(
      fc.constant<CallerKind | null>(null),
      fc.constantFrom<CallerKind>('right', 'limited', 'expiring', 'other', 'expired'),
      4,
    ),
    other: fc.nat({ max: 100 }),
    method: often(fc.constant(null), fc.constantFrom('PATCH', 'DELETE', 'POST', 'PUT', 'HEAD'), 15),
    inPath: fc.record(Object.fromEntries(named('path').map((parameter) => [parameter.name, value(parameter)]))),
    query: fc
      .tuple(described, often(noQuery, fc.array(strange, { minLength: 1, maxLength: 2 }), 12))
      .map(([known, unknown]) => [...known, ...unknown]),
    headers: fc
      .tuple(
        fc.record(
          Object.fromEntries(
            named('header').map((parameter) => [parameter.name, headerOf(document, parameter, meaningOf)]),
          ),
          {
            requiredKeys: [],
          },
        ),
        often(
          fc.constant({}),
          fc.constantFrom({ accept: 'text/html' }, { 'content-type': 'text/plain' }, { accept: 'x' }),
          10,
        ),
      )
      .map(([known, more]) => ({ ...known, ...more })),
    body:
      body === null ? fc.constant(undefined) : bodyOf(arbitraryOf(document, body.schema, meaningOf), body.isRequired),
  });
}

/** Mostly the first; the second once in `times`. */
function often<T>(first: fc.Arbitrary<T>, second: fc.Arbitrary<T>, times: number): fc.Arbitrary<T> {
  return fc.oneof({ arbitrary: first, weight: times - 1 }, { arbitrary: second, weight: 1 });
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function valueOf(document: ApiDocument, { name, schema }: Parameter, meaningOf: MeaningOf): fc.Arbitrary<Given> {
  const meant = meaningOf(name);
  const fit = arbitraryOf(document, schema, meaningOf).map((value) => ({ text: toText(value) }));
  const hostile = hostileText.map((text) => ({ text }));
  if (name === 'wait' && meant !== undefined) return meant.map((value) => ({ text: toText(value) }));
  return fc.oneof(
    // filters have so many faces that hostile ones would leave no answers
    ...(meant === undefined
      ? [{ arbitrary: TOLD, weight: /^(id|key|cursor|job|target|kind|name)$/.test(name) ? 12 : 0 }]
      : [{ arbitrary: meant.map((value) => ({ text: toText(value) })), weight: 6 }]),
    { arbitrary: fit, weight: 3 },
    { arbitrary: hostile, weight: 1 },
  );
}

/** fetch sends only what a header may have. */
function headerOf(document: ApiDocument, parameter: Parameter, meaningOf: MeaningOf): fc.Arbitrary<string> {
  return (meaningOf(parameter.name) ?? arbitraryOf(document, parameter.schema, meaningOf)).map((value) =>
    toText(value).replaceAll(/[^\x21-\x7e]/g, ''),
  );
}

/** Bodies as described, with one thing changed, and of any JSON. */
function bodyOf(fit: fc.Arbitrary<unknown>, isRequired: boolean): fc.Arbitrary<string | undefined> {
  return fc.oneof(
    { arbitrary: fit.map((value) => JSON.stringify(value)), weight: 10 },
    { arbitrary: fc.tuple(fit, fc.nat(), hostileText, hostileJson).map(changeOne), weight: 4 },
    { arbitrary: hostileJson.map((value) => JSON.stringify(value)), weight: 1 },
    { arbitrary: fc.constant(undefined), weight: isRequired ? 1 : 10 },
  );
}

/** A value of which one field is gone, has become something else, or is new. */
function changeOne([value, n, name, other]: [unknown, number, string, unknown]): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(other);
  const copy = structuredClone(value) as Record<string, unknown>;
  const names = Object.keys(copy);
  const chosen = names[n % Math.max(names.length, 1)];
  const inner = chosen === undefined ? undefined : copy[chosen];
  if (chosen === undefined || n % 4 === 0) copy[name] = other;
  else if (n % 4 === 1) delete copy[chosen];
  else if (n % 4 === 2 || typeof inner !== 'object' || inner === null) copy[chosen] = other;
  else copy[chosen] = JSON.parse(changeOne([inner, n >>> 2, name, other])) as unknown;
  return JSON.stringify(copy);
}

import type { JsonSchema } from './describe-schema.js';
import type { SensitivePath } from './sensitive/sensitive-path.js';
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.js';

/** A version that payloads were stored in before today's, and the step from it to the next version. */
export interface PastVersion {
  readonly payload: StandardSchema;
  readonly payloadJsonSchema: JsonSchema;
  readonly lift: (payload: unknown) => unknown;
  /** Its sensitive paths: its own, and those of today's version that it has. */
  readonly sensitive: readonly string[];
}

/** The versions before today's that a contract can still read. */
export type Past = ReadonlyMap<number, PastVersion>;

/** The schemas of the past versions, by version. */
export type PastPayloads = { readonly [version: number]: StandardSchema };
export type NoPast = Readonly<Record<string, never>>;

/**
 * The versions of a payload before today's: the schema that each had, and the step that makes the next version's
 * payload of it. A run is stored with its version, read by that version's schema, and lifted step by step:
 *
 *     version: 3,
 *     past: {
 *       1: { payload: z.object({ to: z.string() }), lift: ({ to }) => ({ recipients: [to] }) },
 *       2: { payload: z.object({ recipients: z.array(z.string()) }), lift: (v2) => ({ ...v2, urgent: false }) },
 *     },
 *
 * It may begin later than at version 1, or be empty: older payloads are then no longer read. From there on every
 * version needs a step, the last one to today's payload; a gap, or a step whose result is not a payload of the next
 * version, is a compile error. A step must be pure: it is called for every attempt.
 */
export type PastOptions<TVersion extends number, TPayload extends StandardSchema, TPast extends PastPayloads> =
  IsFirst<TVersion> extends true
    ? { readonly past?: Steps<TVersion, TPayload, TPast> }
    : { readonly past: Steps<TVersion, TPayload, TPast> };

type Steps<TVersion extends number, TPayload extends StandardSchema, TPast extends PastPayloads> = {
  readonly [V in keyof TPast]: {
    readonly payload: TPast[V];
    /** As in `JobOptions`. */
    readonly payloadJsonSchema?: JsonSchema;
    /** What was sensitive in it and is no longer there, or elsewhere; what is still there need not be said again. */
    readonly sensitive?: readonly NoInfer<SensitivePath<OutputOf<TPast[V]>>>[];
    readonly lift: (payload: OutputOf<TPast[V]>) => NextPayload<V, TVersion, TPayload, TPast>;
  };
};

/** A step's result: a payload of the next version. */
type NextPayload<
  V,
  TVersion extends number,
  TPayload extends StandardSchema,
  TPast extends PastPayloads,
> = number extends TVersion // a version that is known at run time only: `defineJob` checks it then
  ? unknown
  : After<V> extends TVersion
    ? InputOf<TPayload>
    : `${After<V>}` extends infer TNext extends keyof TPast
      ? InputOf<TPast[TNext]>
      : `the past of this contract has no version ${After<V>}`;

type IsFirst<TVersion extends number> = number extends TVersion ? false : TVersion extends 1 ? true : false;

/** The number after a whole one, which is the key of an object and therefore text; TypeScript counts to 999. */
type After<V> = V extends `${infer N extends number}` ? [...Counted<N>, 0]['length'] & number : 0;
type Counted<N extends number, TCount extends 0[] = []> = TCount['length'] extends N
  ? TCount
  : Counted<N, [...TCount, 0]>;

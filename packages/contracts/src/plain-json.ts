import type { Json } from './any-json.js';
import type { FindTransform } from './find-transform.js';
import type { InputOf, OutputOf, StandardSchema } from './standard-schema.js';

/**
 * The option `TKey` with a schema of plain JSON that stays what it is when it is parsed again; otherwise its type is a
 * sentence that says which value is not, as far as types can tell, five levels deep. `describeSchema` looks at the rest.
 *
 * A schema whose type is known late, in a generic function, is taken: what is asked is not false for `any`, so TypeScript
 * goes on with `unknown`.
 */
export type PlainJson<TSchema extends StandardSchema, TKey extends string> =
  IsPlain<TSchema> extends false ? { readonly [K in TKey]: `${TKey}${FindWrong<TSchema>}` } : unknown;

/** First what TypeScript compares at once, and most schemas pass: looking at each value is three times the work. */
type IsPlain<TSchema extends StandardSchema> = [FindTransform<TSchema>] extends [never]
  ? [OutputOf<TSchema>, OutputOf<TSchema>] extends [Json, InputOf<TSchema>]
    ? true
    : [FindNoJson<OutputOf<TSchema>, InputOf<TSchema>>] extends [never]
      ? true
      : false
  : false;

type FindWrong<TSchema extends StandardSchema> = [FindTransform<TSchema>] extends [never]
  ? FindNoJson<OutputOf<TSchema>, InputOf<TSchema>>
  : FindTransform<TSchema>;

/** Where a value is that JSON cannot hold, or that parsing changes, and why: `.customer.since is a Date, …`; never: nowhere. */
type FindNoJson<T, TInput, TLevels extends 0[] = []> = TLevels['length'] extends 5
  ? never
  : unknown extends T
    ? never
    : NoJsonIn<T, TInput, TLevels>;

/** Distributes over unions. The path is no argument, so that what refers to itself is looked at once a level. */
type NoJsonIn<T, TInput, TLevels extends 0[]> = T extends string | number | boolean | null | undefined
  ? T extends TInput
    ? never
    : ' is changed by parsing, and what is stored is parsed again'
  : T extends bigint
    ? ' is a bigint, which JSON does not have: use a string'
    : T extends Date
      ? ' is a Date, which JSON does not have: use a string such as z.iso.datetime()'
      : T extends symbol | Callable | Special
        ? ' is not plain JSON'
        : T extends readonly (infer TItem)[]
          ? `[]${FindNoJson<TItem, ItemOf<TInput>, [...TLevels, 0]>}`
          : { [K in keyof T & string]-?: `.${K}${FindNoJson<T[K], FieldOf<TInput, K>, [...TLevels, 0]>}` }[keyof T &
              string];

type Callable = (...given: never) => unknown;
/** Of a class, with a way of its own to be read or written: a Map, a Set, a Decimal, a URL, bytes. */
type Special =
  | { readonly toJSON: Callable }
  | { readonly [Symbol.iterator]: Callable; readonly length?: never }
  | { readonly [Symbol.toStringTag]: string };

type ItemOf<TInput> = unknown extends TInput ? unknown : TInput extends readonly (infer TItem)[] ? TItem : never;
type FieldOf<TInput, K extends string> = unknown extends TInput
  ? unknown
  : TInput extends unknown
    ? K extends keyof TInput
      ? TInput[K]
      : never
    : never;

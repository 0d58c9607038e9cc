/**
 * Where a schema of zod changes a value, as its type tells: `.name is changed by a transform, …`; never: nowhere, or it is
 * no schema of zod 4. What comes out of a transform may have the type of what goes in, which a look at both does not tell.
 */
export type FindTransform<TSchema, TLevels extends 0[] = []> = TLevels['length'] extends 5
  ? never
  : TSchema extends { readonly _zod: { readonly def: infer TDefinition } }
    ? TransformIn<TDefinition, TLevels>
    : never;

type TransformIn<TDefinition, TLevels extends 0[]> = TDefinition extends
  | { readonly type: 'transform' }
  | { readonly reverseTransform: (...given: never) => unknown }
  ? ' is changed by a transform or a codec, and what is stored is parsed again'
  : TDefinition extends { readonly shape: infer TShape }
    ? { [K in keyof TShape & string]: `.${K}${FindTransform<TShape[K], [...TLevels, 0]>}` }[keyof TShape & string]
    : TDefinition extends { readonly innerType: infer TInner }
      ? FindTransform<TInner, TLevels>
      : TDefinition extends { readonly element: infer TItem }
        ? `[]${FindTransform<TItem, [...TLevels, 0]>}`
        : TDefinition extends { readonly in: infer TIn; readonly out: infer TOut }
          ? FindTransform<TIn, TLevels> | FindTransform<TOut, TLevels>
          : TDefinition extends { readonly options: readonly (infer TOption)[] }
            ? FindTransform<TOption, TLevels>
            : TDefinition extends { readonly valueType: infer TValue }
              ? `[key]${FindTransform<TValue, [...TLevels, 0]>}`
              : never;

/**
 * Whether a value is of a class that `brand` marked with this name, in this copy of the package or another: a program may
 * load one as ESM and one as CJS, whose classes are not the same.
 */
export function hasBrand(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Symbol.for(name) in value;
}

/** Marks every instance of a class. */
export function brand(type: { readonly prototype: object }, name: string): void {
  Object.defineProperty(type.prototype, Symbol.for(name), { value: true });
}

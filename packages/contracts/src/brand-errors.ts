const BRAND = Symbol.for('duework.error');

/**
 * Makes `instanceof` recognise the errors of a class by a brand: a process may load Duework as ESM and as CommonJS, and
 * has two copies of each class then, whose errors are the same to everybody. Subclasses are told apart as usual.
 *
 * @param kind of errors, by the name of its class, which stays the same when code is minified
 */
export function brandErrors(kind: string, Errors: { readonly prototype: Error }): void {
  Object.defineProperty(Errors.prototype, BRAND, { value: kind });
  Object.defineProperty(Errors, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== Errors) return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
      return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === kind;
    },
  });
}

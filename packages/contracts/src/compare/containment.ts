/**
 * Whether each value of one schema is one of another. `yes` is proven. `no`: the other asks for something that the one
 * does not promise. `unknown`: it depends on a keyword that is not understood here.
 */
export type Containment =
  | { readonly answer: 'yes' }
  | {
      readonly answer: 'no' | 'unknown';
      /** Where in a value, as RFC 6901 writes it; `*` stands for any item or undeclared key. */
      readonly pointer: string;
      readonly why: string;
    };

export const YES: Containment = { answer: 'yes' };
export const no = (pointer: string, why: string): Containment => ({ answer: 'no', pointer, why });
export const unknown = (pointer: string, why: string): Containment => ({ answer: 'unknown', pointer, why });

/** All have to hold: the first that does not, one that surely does not before one that may not. */
export function every(checks: Iterable<Containment>): Containment {
  let doubt: Containment | undefined;
  for (const check of checks) {
    if (check.answer === 'no') return check;
    if (check.answer === 'unknown') doubt ??= check;
  }
  return doubt ?? YES;
}

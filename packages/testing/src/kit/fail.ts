import { AssertionError } from 'node:assert';

/** Fails the test. Every runner knows Node's own assertion error; as `fail` it is printed with its message alone. */
export function fail(message: string): never {
  throw new AssertionError({ message, operator: 'fail', stackStartFn: fail });
}

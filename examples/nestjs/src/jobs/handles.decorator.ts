import type { Handler, JobContract } from 'duework';

const HANDLED_TYPE = Symbol('the type that a method handles');

/** Makes a method of a provider the handler of a contract's jobs. One that takes another payload does not compile. */
export const Handles =
  <TContract extends JobContract>({ type }: TContract) =>
  (_target: object, _name: string | symbol, { value }: { value?: Handler<TContract> }): void =>
    Reflect.defineMetadata(HANDLED_TYPE, type, value as object);

/** The type that a method handles; undefined where it has no `@Handles`. */
export const handledTypeOf = (method: object): string | undefined =>
  Reflect.getMetadata(HANDLED_TYPE, method) as string | undefined;

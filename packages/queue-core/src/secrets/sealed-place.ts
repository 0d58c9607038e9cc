/**
 * What an encrypted value is bound to, so that it cannot be moved: the type, the version and where in the payload it lies.
 * The id of its run is not known yet when it is encrypted, because the database gives it.
 */
export function sealedPlace(type: string, version: number, pointer: string): string {
  return JSON.stringify(['duework.payload', type, version, pointer]);
}

/**
 * Stands for the type in what is encrypted of an event, because its publisher does not know the types that get it. A
 * blank is in no type, so that it is nothing in the payload of one that does not subscribe.
 */
export const eventPlace = (event: string): string => `event ${event}`;

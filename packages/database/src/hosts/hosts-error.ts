/** PostgreSQL's own code for a write that a standby gets. */
export const READ_ONLY = '25006';

type Failure = Error & { readonly code?: unknown };

/** The error for a server that is reached, and takes no writes. */
export const readOnlyError = (): Error =>
  Object.assign(new Error('the server takes no writes: it is a standby, or read-only'), { code: READ_ONLY });

/**
 * Another host would say the same: who may come in, and which databases there are, is the same on all of them; but not
 * whether that is so with TLS.
 */
export function isSameEverywhere({ code, message }: Failure): boolean {
  return (
    typeof code === 'string' && /^(28...|3D000)$/.test(code) && !/no encryption|SSL (on|off|encryption)/.test(message)
  );
}

/**
 * One error for the hosts that were tried, with the code of the most telling one: of a host that answers, if any does. The
 * others are its `errors`.
 */
export function joinFailures(failures: readonly Error[]): Error {
  const coded = failures as readonly Failure[];
  const told =
    coded.find((failure) => isSameEverywhere(failure)) ??
    coded.find(({ code }) => code === READ_ONLY) ??
    coded.findLast(({ code }) => typeof code === 'string') ??
    coded.at(-1)!;
  if (failures.length === 1) return told;
  return Object.assign(new Error(told.message, { cause: told }), { code: told.code, errors: failures });
}

/**
 * Whether nothing stands between a Prisma transaction and its connection, asked as Prisma 7.10 asks itself: no extension
 * hooks raw queries, and `$queryRaw` and what it calls are Prisma's own, not an extension's, a subclass's or a wrapper's.
 * Where Prisma's insides look otherwise the answer is no, which costs a round trip and nothing else.
 */
export function isUnhooked(db: object): boolean {
  const tx = db as PrismaInsides;
  try {
    const hooks = [
      ...tx._extensions.getAllQueryCallbacks('$none', '$queryRaw'),
      ...tx._extensions.getAllBatchQueryCallbacks(),
    ];
    const own = ownMethods(tx._originalClient);
    return hooks.length === 0 && METHODS.every((name) => typeof own[name] === 'function' && tx[name] === own[name]);
  } catch {
    return false;
  }
}

/** What `$queryRaw` goes through on its way to the engine. */
const METHODS = ['$queryRaw', '$queryRawInternal', '_request', '_executeRequest'] as const;

type Methods = Partial<Record<(typeof METHODS)[number], unknown>>;

interface PrismaInsides extends Methods {
  readonly _originalClient: object;
  readonly _extensions: {
    getAllQueryCallbacks(model: string, operation: string): Iterable<unknown>;
    getAllBatchQueryCallbacks(): Iterable<unknown>;
  };
}

/** Of Prisma's own class, which is the one that makes transactions, behind any class that extends it. */
function ownMethods(client: object): Methods {
  let prototype = Object.getPrototypeOf(client) as object;
  while (!Object.hasOwn(prototype, '_createItxClient')) prototype = Object.getPrototypeOf(prototype) as object;
  return prototype;
}

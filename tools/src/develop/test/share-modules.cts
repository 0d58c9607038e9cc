/**
 * Jest's runtime, one for all test files that a process runs one after the other: what they load from node_modules is loaded
 * once. Jest would compile and run Prisma's client, pg and zod anew for each file, a sixth of the processor time of a usual
 * one. Modules of this repository and its mocks are of one file, as ever. It needs the one context that strict-environment.ts
 * gives to all files, and is CommonJS because jest requires it.
 */
import modules = require('node:module');
import runtime = require('jest-runtime');

const JestRuntime = runtime.default;

/** What a runtime has inside, as far as it is used here: jest says nothing of it in its types. */
interface Insides {
  readonly registries: Readonly<
    Record<'getActiveEsmRegistry' | 'getActiveCjsRegistry' | 'getInternalCjsRegistry', () => Map<string, unknown>>
  >;
  readonly mockState: { clear(): void };
  /** A file may import while it loads, and not between its tests. */
  readonly testState: { state: 'loading' | 'inTest' | 'betweenTests' | 'tornDown' };
  readonly fileCache: { clear(): void };
  readonly transformCache: { clear(): void };
  readonly _resolution: { clear(): void };
  readonly testMainModule: { reset(): void };
  readonly jestGlobals: { clearJestObjectCache(): void };
  readonly esmLoader: { testPath: string };
  readonly executor: { testPath: string };
  _testPath: string;
}

let kept: SharedRuntime | undefined;

class SharedRuntime extends JestRuntime {
  constructor(...args: ConstructorParameters<typeof JestRuntime>) {
    if (kept === undefined) {
      super(...args);
      // eslint-disable-next-line unicorn/no-this-assignment, @typescript-eslint/no-this-alias -- the first is the one
      kept = this;
      return;
    }
    const inside = kept as unknown as Insides;
    const [, , , , , , testPath] = args;
    for (const part of [inside.esmLoader, inside.executor]) part.testPath = testPath;
    inside._testPath = testPath;
    inside.testState.state = 'loading';
    return kept;
  }

  /** After a file: forgets all that is not from node_modules. */
  override teardown(): void {
    this.restoreAllMocks();
    const inside = this as unknown as Insides;
    const { registries } = inside;
    for (const loaded of [registries.getActiveEsmRegistry(), registries.getActiveCjsRegistry()])
      for (const id of loaded.keys()) if (!id.includes('/node_modules/') && !modules.isBuiltin(id)) loaded.delete(id);
    // the parts of jest itself: they hold the tests of the file
    registries.getInternalCjsRegistry().clear();
    for (const part of [inside.mockState, inside.fileCache, inside.transformCache, inside._resolution]) part.clear();
    inside.testMainModule.reset();
    inside.jestGlobals.clearJestObjectCache();
  }
}

export = SharedRuntime;

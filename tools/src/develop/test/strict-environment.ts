import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';
import { closeContexts } from './close-contexts.js';
import { passToChildren } from './pass-to-children.js';
import { watchOpen } from './watch-open.js';

/** What jest says of its progress, as far as it is used. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly errors: unknown[] };
}
interface TestState {
  readonly unhandledErrors: unknown[];
}

/** Parts of jest's environment, some of which it does not say in its types. */
const PARTS = ['context', 'global', 'moduleMocker', 'fakeTimers', 'fakeTimersModern', '_globalProxy'] as const;
type Parts = Record<(typeof PARTS)[number], unknown>;

/** Where jest keeps the tests of a file, and who hears of them. */
const OF_JEST = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

let files = 0;
let first: Parts | undefined;
/** What the sandbox, its dates and its numbers were before any file had them: a clock that a test has set is that test's alone. */
let original: readonly (readonly [object, PropertyDescriptorMap])[] = [];

/**
 * Jest's environment of every test file: a warning of this process, of its threads, or of a process that a test
 * started fails the test during which it came; outside of a test it fails the file. So does what a file leaves open: a
 * socket, a timer, a process, `leftOpenMs` after its tests (`testEnvironmentOptions`). The environment lives beside the
 * sandbox of the test, whose `process` is a copy that hears no warning. record-warnings.cts writes down what it reads.
 *
 * The files of one process have the sandbox in turn, each with the variables that it would have alone: what they load from
 * node_modules lives in it (share-modules.cts).
 */
export default class StrictEnvironment extends TestEnvironment {
  readonly #file: string;
  readonly #findLeft: () => Promise<string[]>;

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    // before the sandbox copies the variables; one file for each environment, so that no warning of an earlier one counts
    const file = join(tmpdir(), `duework-warnings-${process.pid}-${files++}`);
    process.env['DUEWORK_TEST_WARNINGS'] = file;
    super(...args);
    this.#takeSandbox();
    this.#file = file;
    const { leftOpenMs } = args[0].projectConfig.testEnvironmentOptions as { readonly leftOpenMs?: number };
    this.#findLeft = watchOpen(leftOpenMs);
    passToChildren(['NODE_OPTIONS', 'DUEWORK_TEST_WARNINGS']);
  }

  async handleTestEvent({ name, test }: TestEvent, state: TestState): Promise<void> {
    if (name !== 'test_done' && name !== 'run_finish') return;
    // a warning is emitted a turn after what it warns of
    await turn();
    (test?.errors ?? state.unhandledErrors).push(...this.#takeWarnings());
    if (test !== undefined) return;
    const left = await this.#findLeft();
    if (left.length > 0)
      state.unhandledErrors.push(new Error(`The tests of this file leave open: ${left.join(', ')}.`));
  }

  override async teardown(): Promise<void> {
    rmSync(this.#file, { force: true });
    // the one thing of a file's `process` that the next file of this process would see
    process.exitCode = undefined;
    closeContexts();
    this.fakeTimersModern?.useRealTimers();
    // no more than this: the next file has the sandbox
    await Promise.resolve();
  }

  /** Gives the sandbox of the first file to this one, with the variables of this one and none of its listeners or tests. */
  #takeSandbox(): void {
    const own = this as unknown as Parts;
    if (first === undefined) {
      first = Object.fromEntries(PARTS.map((part) => [part, own[part]])) as Parts;
      const { global } = this;
      original = [global, global.Date, global.Math].map((one) => [one, Object.getOwnPropertyDescriptors(one)]);
      return;
    }
    const variables = this.global.process.env;
    Object.assign(this, first);
    for (const [one, properties] of original) restore(one, properties);
    const { process } = this.global;
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    process.exitCode = undefined;
    process.removeAllListeners();
    for (const symbol of Object.getOwnPropertySymbols(this.global))
      if (OF_JEST.has(symbol.description ?? '')) Reflect.deleteProperty(this.global, symbol);
  }

  #takeWarnings(): Error[] {
    if (!existsSync(this.#file)) return [];
    const lines = readFileSync(this.#file, 'utf8').trimEnd().split('\n');
    rmSync(this.#file);
    return lines.map((line) => {
      const { what, stack, where } = JSON.parse(line) as { what: string; stack: string; where: string };
      const error = new Error(`A warning came (${where}): ${what}`);
      error.stack = `${error.message}\n${stack}`;
      return error;
    });
  }
}

/** Puts back each value that was replaced. */
function restore(one: object, properties: PropertyDescriptorMap): void {
  const now = Object.getOwnPropertyDescriptors(one) as PropertyDescriptorMap;
  for (const [name, property] of Object.entries(properties))
    if ('value' in property && property.configurable === true && now[name]?.value !== property.value)
      Object.defineProperty(one, name, property);
}

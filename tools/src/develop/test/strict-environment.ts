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

let files = 0;

/**
 * Jest's environment of every test file: a warning of this process, of its threads, or of a process that a test
 * started fails the test during which it came; outside of a test it fails the file. So does what a file leaves open: a
 * socket, a timer, a process, `leftOpenMs` after its tests (`testEnvironmentOptions`). The environment lives beside the
 * sandbox of the test, whose `process` is a copy that hears no warning. record-warnings.cts writes down what it reads.
 */
export default class StrictEnvironment extends TestEnvironment {
  readonly #file: string;
  readonly #findLeft: () => Promise<string[]>;

  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    // before the sandbox copies the variables; one file for each environment, so that no warning of an earlier one counts
    const file = join(tmpdir(), `duework-warnings-${process.pid}-${files++}`);
    process.env['DUEWORK_TEST_WARNINGS'] = file;
    super(...args);
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
    await super.teardown();
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

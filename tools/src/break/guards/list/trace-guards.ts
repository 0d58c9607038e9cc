import type { Guard, NamedTest } from '../guard.js';
import { core, cut } from './places.js';

const otel = (file: string): string => `packages/otel/src/${file}`;
const ofHooks = (title: string, of?: string): NamedTest => ({
  file: core('enqueue/enqueue-hook.test.ts'),
  title,
  ...(of === undefined ? {} : { of }),
});

/** What keeps traces from changing what they look at, and from telling what nobody may read. */
export const traceGuards: readonly Guard[] = [
  {
    name: 'hook-never-drops',
    says: 'a hook that sends nothing, or throws, costs no job',
    edits: [cut(core('enqueue/send-through-hook.ts'), 'return (sent ??= send(runs));', 'return sent!;')],
    tests: [ofHooks('one that %s', 'sends nothing')],
  },
  {
    name: 'hook-own-meta',
    says: "a hook's text never replaces one of the caller's",
    edits: [cut(core('enqueue/send-through-hook.ts'), 'if (Object.hasOwn(meta, name)) continue;')],
    tests: [ofHooks('never changes what a caller keeps beside a payload')],
  },
  {
    name: 'trace-cleaned',
    says: 'an error is cleaned before it becomes part of a span',
    edits: [
      cut(
        otel('describe-end.ts'),
        `if (contract === undefined) return { code: classifyError(error).record.code, message: null, exception: null };
        const { code, type, message, stack } = classifyError(error, contract.errors, makeCleaner(contract, run)).record;`,
        'void [run, contract, makeCleaner];\n  const { code, type, message, stack } = classifyError(error).record;',
      ),
    ],
    tests: [
      {
        file: otel('attempts.test.ts'),
        title: 'is cleaned of values of the payload and of secrets before a collector gets it, as before it is stored',
      },
    ],
  },
  {
    name: 'trace-linked',
    says: 'an attempt begins a trace of its own, unless its worker asks for one trace',
    edits: [
      cut(
        otel('start-process-span.ts'),
        'const around = isChild ? carried : trace.deleteSpan(carried);',
        'void isChild;\n  const around = carried;',
      ),
    ],
    tests: [
      {
        file: otel('traces.test.ts'),
        title:
          'has a span for its enqueue and one for its attempt, which a collector gets as the conventions name them, linked',
      },
    ],
  },
];

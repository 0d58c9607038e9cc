import type { Project } from '../project.js';

/** jobs/handlers: what the worker does. */
export function handlersFile({ extension, importSuffix }: Project): string {
  const isTyped = extension === 'ts';
  const contracts = `./contracts${importSuffix}`;
  return `${
    isTyped
      ? `import { complete, type Handlers } from 'duework';\nimport type { catalog } from '${contracts}';\n`
      : `import { complete } from 'duework';\n`
  }
/**
 * What the worker does for each type of the catalog${isTyped ? ': a missing one does not compile' : ''}.
 * A handler that throws is called again later.${
   isTyped ? '' : `\n * @type {import('duework').Handlers<typeof import('${contracts}').catalog>}`
 }
 */
export const handlers${isTyped ? ': Handlers<typeof catalog>' : ''} = {
  say_hello: ({ payload, log }) => {
    log.info({ name: payload.name }, 'says hello');
    return complete({ greeting: \`Hello, \${payload.name}!\` });
  },
};
`;
}

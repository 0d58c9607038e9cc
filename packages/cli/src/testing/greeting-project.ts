/** The files of a project with one type, `greet`, in JavaScript: what a test of the command needs and no more. */
export const greetingProject = (greeting = 'Hello'): Record<string, string> => ({
  'package.json': '{ "type": "module", "duework": { "jobs": "./jobs.js" } }',
  'jobs.js': `
    import { complete, defineCatalog, defineJob } from 'duework';
    import { z } from 'zod';
    export const catalog = defineCatalog([defineJob({ type: 'greet', payload: z.object({ name: z.string() }) })]);
    export const handlers = { greet: ({ payload }) => complete('${greeting} ' + payload.name) };`,
});

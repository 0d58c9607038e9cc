/** The id of a job or an order in a path, for the document. */
export function idParameter(name: 'job' | 'order') {
  const schema =
    name === 'job'
      ? { type: 'string' as const, pattern: '^[1-9][0-9]{0,18}$' }
      : { type: 'integer' as const, minimum: 1 };
  return { name: 'id', in: 'path' as const, required: true, description: `The id of the ${name}.`, schema };
}

/** The id of a job or an order in a path, for the document. */
export function idParameter(name: 'job' | 'order') {
  const schema =
    name === 'job'
      ? { type: 'string' as const, pattern: '^[1-9][0-9]{0,18}$' }
      : { type: 'integer' as const, minimum: 1 };
  return { name: 'id', in: 'path' as const, required: true, description: `The id of the ${name}.`, schema };
}

/** The header with which a request may be sent again, for the document. */
export const repeatParameter = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  description:
    'Names this request, so that it may be sent again: for 24 hours the same request gets the first answer, and does nothing.',
  schema: {
    type: 'string' as const,
    pattern: '^[\\x21-\\x7e]{1,255}$',
    example: '0b8f2d3c-8c1b-4f0e-9a55-0f6a3f6f1f5e',
  },
};

/** The header with which a client comes back to a stream, for the document. */
export const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header' as const,
  description: 'The last event that was seen.',
  schema: { type: 'string' as const },
};

const nameOf = (name: 'queue' | 'type' | 'event') => ({
  name,
  in: 'path' as const,
  required: true,
  description: `The name of the ${name}.`,
  schema: { type: 'string' as const, minLength: 1, maxLength: 63 },
});
export const queueParameter = nameOf('queue');
export const typeParameter = nameOf('type');
export const eventParameter = nameOf('event');

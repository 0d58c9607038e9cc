export const schema = {
  kinds: {
    text: 'text',
    number: 'number',
    integer: 'whole number',
    boolean: 'true or false',
    choice: 'one of',
    object: 'object',
    list: 'list',
    json: 'JSON',
  },
  formats: {
    email: 'email address',
    uri: 'URL',
    date: 'date',
    'date-time': 'time with zone',
    uuid: 'UUID',
  } as Readonly<Record<string, string | undefined>>,
  record: 'object with any keys',
  listOf: (item: string) => `list of ${item}`,
  orNull: (kind: string) => `${kind}, or null`,
  characters: (from: number | null, to: number | null) =>
    from === null
      ? `at most ${to} characters`
      : to === null
        ? `at least ${from} characters`
        : `${from} to ${to} characters`,
  items: (from: number | null, to: number | null) =>
    from === null ? `at most ${to} items` : to === null ? `at least ${from} items` : `${from} to ${to} items`,
  multipleOf: (n: number) => `a multiple of ${n}`,
  default: (value: string) => `default: ${value}`,
  required: 'required',
  optional: 'optional',
  sensitive: 'sensitive',
  new: (version: number) => `since version ${version}`,
  changed: (version: number) => `changed in version ${version}`,
  gone: (version: number, names: string) => `Version ${version} also has ${names}.`,
  field: 'Field',
  kind: 'Kind',
  limits: 'Limits',
  none: 'The schema names no fields.',
};

type Read = (path: string) => string;

/** Names that a page lists, all of them, each as `name`. */
interface Enumeration {
  readonly page: string;
  readonly names: (read: Read) => readonly string[];
}

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
const bodyOf = (text: string, start: string): string => text.slice(text.indexOf(start)).split('\n}')[0] ?? '';

const PUBLISHED = ['contracts', 'client', 'http', 'otel', 'bullmq', 'embedded'];

const enumerations: readonly Enumeration[] = [
  {
    page: 'docs/how-to/alerts.md',
    names: (read) =>
      all(bodyOf(read('packages/queue-core/src/ports/alerts.ts'), 'const ALERT_SEVERITIES'), /^ {2}(\w+): '/gm).filter(
        (name) => name !== 'test',
      ),
  },
  {
    page: 'docs/look-up/variables.md',
    names: (read) =>
      all(
        bodyOf(read('packages/worker/src/settings/settings.ts'), 'interface Settings'),
        /^ {2}readonly (\w+)\??:/gm,
      ).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()),
  },
  {
    // a partition is no table that a reader asks for
    page: 'docs/look-up/tables.md',
    names: (read) => all(read('prisma/schema.sql'), /^CREATE (?:TABLE|VIEW) duework\.(\w+) (?!PARTITION)/gm),
  },
  {
    page: 'docs/look-up/packages.md',
    names: (read) => [
      ...Object.keys((JSON.parse(read('packages/duework/package.json')) as { exports: object }).exports).map((path) =>
        path.replace('.', 'duework'),
      ),
      ...PUBLISHED.map((name) => `@duework/${name}`),
    ],
  },
];

/**
 * What a page does not name, although it lists all of its kind: `page: name`.
 *
 * @param read the text of a file, by its path from the root
 */
export function findUnnamed(read: Read): string[] {
  return enumerations.flatMap(({ page, names }) => {
    const found = names(read);
    // a list that nobody finds any more would be complete
    if (found.length < 3) return [`${page}: its names are no longer where the check looks for them`];
    return found.filter((name) => !read(page).includes(`\`${name}\``)).map((name) => `${page} does not name ${name}`);
  });
}

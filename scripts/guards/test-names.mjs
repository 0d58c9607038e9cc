/**
 * A guard's test: `file` to run, `title` as it is written there (or in the file `from`, whose cases it runs), and `of`, the
 * one of a test.each that is meant, by the beginning of what its title says where %s or %j is written.
 *
 * @typedef {{ file: string, title: string, from?: string, of?: string }} NamedTest
 */
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the title of a run test looks like. */
export function patternOf({ title, of }) {
  const [first, ...others] = title.split(/%[sjp]/).map(escape);
  return new RegExp(
    `${first}${others.map((part, index) => `${index === 0 && of !== undefined ? escape(of) : ''}.*${part}`).join('')}$`,
  );
}

/** The results of a report that are this test's. */
export function resultsOf(report, test) {
  const pattern = patternOf(test);
  return report.testResults
    .filter(({ name }) => name.endsWith(`/${test.file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title, status }) => status !== 'pending' && new RegExp(`^${pattern.source}`).test(title));
}

export const titleOf = ({ title, of }) => (of === undefined ? title : title.replace(/%[sjp]/, of));

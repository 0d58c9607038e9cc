import type { NamedTest } from './guard.js';
import type { JestReport, JestTest } from './jest-report.js';

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the title of a run test looks like. */
export function patternOf({ title, of }: NamedTest): RegExp {
  const [first = '', ...others] = title.split(/%[sjp]/).map(escape);
  return new RegExp(
    `${first}${others.map((part, index) => `${index === 0 && of !== undefined ? escape(of) : ''}.*${part}`).join('')}$`,
  );
}

/** The results of a report that are this test's. */
export function resultsOf(report: JestReport, test: NamedTest): JestTest[] {
  const pattern = patternOf(test);
  return report.testResults
    .filter(({ name }) => name.endsWith(`/${test.file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title, status }) => status !== 'pending' && new RegExp(`^${pattern.source}`).test(title));
}

/** A test's title, for people. */
export const titleOf = ({ title, of }: NamedTest): string => (of === undefined ? title : title.replace(/%[sjp]/, of));

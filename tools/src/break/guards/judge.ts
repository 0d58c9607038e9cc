import { stripVTControlCharacters } from 'node:util';
import type { Guard, NamedTest } from './guard.js';

/** What `jest --json` writes, as far as it is read here. */
export interface JestReport {
  readonly testResults: readonly {
    /** The file's path. */
    readonly name: string;
    /** Why it could not be run; '' when it could. */
    readonly message: string;
    readonly assertionResults: readonly JestTest[];
  }[];
}

export interface JestTest {
  readonly title: string;
  /** `passed`, `failed`, `pending` when it was not asked for, … */
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What the title of a run test looks like. */
export function patternOf({ title, of }: NamedTest): RegExp {
  const [first = '', ...others] = title.split(/%[sjp]/).map(escape);
  return new RegExp(
    `${first}${others.map((part, index) => `${index === 0 && of !== undefined ? escape(of) : ''}.*${part}`).join('')}$`,
  );
}

/** The results of a report that are this test's. */
function resultsOf(report: JestReport, test: NamedTest): JestTest[] {
  const pattern = patternOf(test);
  return report.testResults
    .filter(({ name }) => name.endsWith(`/${test.file}`))
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ title, status }) => status !== 'pending' && new RegExp(`^${pattern.source}`).test(title));
}

/** A test's title, for people. */
export const titleOf = ({ title, of }: NamedTest): string => (of === undefined ? title : title.replace(/%[sjp]/, of));

/** An expectation that was not met, and no error on the way to it. */
const ASSERTION = /\bexpect\(/;
const firstLines = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at /.test(line))
    .slice(0, 6)
    .join('\n    ');

export interface Judgement {
  readonly isNoticed: boolean;
  /** Why not, for people. */
  readonly how: string;
}

/** What a report lacks to say that all of these tests are green; null: nothing. */
export function findNotGreen(report: JestReport, tests: readonly NamedTest[]): string | null {
  for (const suite of report.testResults)
    if (suite.message !== '' && suite.assertionResults.length === 0)
      return `${suite.name} did not run: ${firstLines(suite.message)}`;
  for (const test of tests) {
    const results = resultsOf(report, test);
    if (results.length === 0) return `no test of ${test.file} is called "${titleOf(test)}"`;
    const failed = results.find(({ status }) => status !== 'passed');
    if (failed !== undefined)
      return `"${failed.title}" is ${failed.status}: ${firstLines(failed.failureMessages.join('\n'))}`;
  }
  return null;
}

/**
 * Whether every test of a guard went red without it, each by an expectation of its own, or by the error that the guard
 * says is right.
 */
export function judgeRed(report: JestReport, { tests, error }: Pick<Guard, 'tests' | 'error'>): Judgement {
  for (const suite of report.testResults)
    if (suite.assertionResults.length === 0)
      return { isNoticed: false, how: `${suite.name} did not run: ${firstLines(suite.message)}` };
  const accepted = error ?? ASSERTION;
  for (const test of tests) {
    const results = resultsOf(report, test);
    if (results.length === 0) return { isNoticed: false, how: `"${titleOf(test)}" was not run` };
    for (const { title, status, failureMessages } of results) {
      if (status !== 'failed') return { isNoticed: false, how: `"${title}" ${status} all the same` };
      const said = stripVTControlCharacters(failureMessages.join('\n'));
      if (!accepted.test(said))
        return {
          isNoticed: false,
          how: `"${title}" failed, but not by an expectation of its own: ${firstLines(said)}`,
        };
    }
  }
  return { isNoticed: true, how: 'red' };
}

import type { Feature } from './list-features.js';

/** Of jest's report in JSON, what is used here. */
export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The features of which no test has passed, or one of which has failed, by what jest reports of their files. */
export function findUnshown(features: readonly Feature[], { testResults }: JestReport): Feature[] {
  return features.filter(([, file, words]) => {
    const results = testResults
      .filter(({ name }) => name.endsWith(`/${file}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName, status }) => fullName.includes(words) && status !== 'pending');
    return results.length === 0 || results.some(({ status }) => status !== 'passed');
  });
}

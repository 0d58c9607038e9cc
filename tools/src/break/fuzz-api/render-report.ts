import Table from 'cli-table3';
import type { FuzzReport } from './fuzz-api.js';

/** The report as people read it, what was found last. */
export function renderReport({ answers, requests, problem }: FuzzReport, seed: number): string {
  const table = new Table({ head: ['route', 'answers'], style: { head: [], border: [] } });
  for (const [name, counts] of answers) {
    const sorted = [...counts].sort(([one], [other]) => one - other);
    table.push([name, sorted.map(([status, n]) => `${status} × ${n}`).join(', ')]);
  }
  const end =
    problem === null
      ? `Every answer was as the document has it: ${requests.toLocaleString('en')} requests, seed ${seed}.`
      : `${problem}\nTo send it again: npm run break -- fuzz-api --seed … --path …, both as shown above.`;
  return `${table.toString()}\n${end}`;
}

import { CALL_FAULTS, planOf, type FaultKind, type Plan } from './plan.js';

/** Reads what `formatPlan` wrote. Throws a sentence about what it cannot read. */
export function parsePlan(text: string): Plan {
  const [seed = '', ...parts] = text.trim().split(';');
  let plan = planOf(readNumber(seed));
  for (const part of parts) {
    const [name, given = ''] = part.split('=');
    const list = given === '' ? [] : given.split(',');
    if (name === 'workers') plan = { ...plan, workers: readNumber(given) };
    else if (name === 'jobs') plan = { ...plan, jobs: list.map(readNumber) };
    else if (name === 'operations') plan = { ...plan, operations: list.map(readNumber) };
    else if (name === 'faults') plan = { ...plan, faults: new Map(list.map(readFault)) };
    else throw new Error(`A plan has no part ${JSON.stringify(name)}; there are workers, jobs, operations and faults.`);
  }
  return plan;
}

function readNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a whole number.`);
  return Number(text);
}

function readFault(text: string): [string, FaultKind] {
  const [place = '', kind] = text.split(':');
  const known = CALL_FAULTS.find((fault) => fault === kind);
  if (known === undefined || !/^\S+#\d+$/.test(place))
    throw new Error(
      `${JSON.stringify(text)} is not a fault such as w1.1/settle#3:crash-after. Kinds: ${CALL_FAULTS.join(', ')}.`,
    );
  return [place, known];
}
